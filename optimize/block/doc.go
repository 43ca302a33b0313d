// Package block finds what a block of neighbouring instances of a stage reads and writes: the windows of images that one
// work-item can load before it starts, and the outputs that it can store when it is done. So it does for what else has stages
// as blocks: groups of fused stages in tiles (Group), rows that groups go down (Descent), lines of scans (Band, Trapezoid), loops over planes (Leg),
// panels of matrices (PanelLoop), sums of bytes in words (Combination, Dotted), and what neighbours have in common (Common, Period).
//
// It finds facts that lowering needs exactly and decides nothing. It knows the typed program, not devices.
package block
