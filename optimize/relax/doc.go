// Package relax rewrites programs in fast mode to what their arithmetic may be taken for there: divisions by values that all instances
// share are multiplications by reciprocals, and exponentials are powers of two, which devices have instructions for, and sums leave out points whose weight is 0. Compilers of
// devices may do so and do not everywhere; done here, it is in what the optimizer counts as well.
//
// It knows hast, types, operators and the forms of package normal.
package relax
