// Package strips runs programs under random schedules whose work-items compute blocks of instances: results are the interpreter's,
// bit for bit, whatever is decided, at every size, border rule, pitch and offset.
package strips
