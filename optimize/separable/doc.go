// Package separable tells whether a mask is the product of a column and a row, so that a filter with it may run as two passes of
// h + w terms instead of one of h*w.
//
// A mask M of integers is separable exactly where its rank is 1; then M[y][x] = Column[y] * Row[x] with integers, since every row is
// a rational multiple of the shortest integer vector along it, and thus an integer one. A mask of floats has been rounded entry by
// entry, so that its rank is seldom 1: the factors found are those of its largest entry's row and column, and hold within a
// tolerance for each entry.
//
// It knows numbers only: neither programs nor devices.
package separable
