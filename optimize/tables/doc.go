// Package tables has stages take what depends on one byte of an image alone, as a gamma curve does, from a table of 256 entries, which a stage before them
// computes by the same expression. Programs mean the same, to the bit: nothing else is computed than before, but once for each byte that there can be.
//
// Whether that pays is for others to say. It knows hast and what operations take: neither kir nor devices.
package tables
