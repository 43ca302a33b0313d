// Package fusion runs programs of several stages with all of them fused that can be, with none, and with random ones: results are the
// interpreter's, bit for bit, whatever is decided, at every size, border rule, pitch and offset.
package fusion
