// Package finest takes the finest level of a pyramid's traverse apart: what a traverse does there is done before and behind it, by stages of
// their own, and the traverse goes through the levels from the second one on.
//
// The finest level has three quarters of a pyramid's pixels, and its neighbours lie outside of the traverse: it is computed from an image, and a
// result from it. As a level of a pyramid it has to be in memory between them; as an image of its own it may be fused with them, or be computed
// where it is read, and a copy into it or out of it vanishes.
//
//	g[0] = src;                              reduce2(src, g[1]);
//	traverse (g) {                           traverse (g from level 1 on) {
//	    if (!g.top) reduce2(g[-1], g[0]);        if (below level 1) reduce2(g[-1], g[0]);
//	    descend;                      =>         descend;
//	    if (!g.bottom) f(g[+1], g[0]);           if (!g.bottom) f(g[+1], g[0]);
//	}                                        }
//	dst = g[0];                              f(g[1], dst);
//
// What is left may be taken apart in the same way once more (Traverse.Apart): the second level is an image then, which need not be in memory, either.
//
// Its results are typed programs like all others: what runs or prints hast runs and prints them. It knows hast and its operators, and nothing
// of schedules or targets: who calls it says which traverses it is worth it for.
package finest
