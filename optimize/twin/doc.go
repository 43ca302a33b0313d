// Package twin finds stages that do the same, each to images of its own: calls of one kernel, the same step at a level of a pyramid by itself and among the others.
// What is found out of one of them takes no time for the next. It knows hast alone, and none of what is asked.
package twin
