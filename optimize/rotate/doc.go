// Package rotate has traverses do at each level what the next one begins with, before they descend: a rotation of the loop over levels, by which that is beside what the level at hand does, of which it is made.
//
//	traverse (g, s) {                             traverse (g, s) {
//	    if (!g.top) halve(s[-1], g[0]);               if (below it is a level) {
//	    smooth(g[0], s[0]);                               smooth(g[0], s[0]);
//	    descend;                             =>           halve(s[0], g[+1]);
//	    ...                                           } else smooth(g[0], s[0]);
//	}                                                 descend;
//	                                                  ...
//	                                              }
//
// So a level that is smoothed and stored and the next one, which is every second pixel of it, can be one kernel. The coarsest level has stages of its own for what has no next level beside it.
//
// Its results are typed programs like all others: what runs or prints hast runs and prints them. It knows hast and its operators, and nothing of schedules or targets: who calls it says which traverses it
// is worth it for.
package rotate
