// Package scans holds iterates under scan against references in NumPy: every direction, lines that are independent and lines that
// are not, in one to three dimensions.
package scans
