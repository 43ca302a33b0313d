// Package evaluate computes what constants alone determine: the calls of funcs in constants, and what of a body is the same in all instances at all times.
// It takes expressions by their definition, one value at a time, each operation rounded as the reference interpreter rounds it, so that what is computed
// beforehand is, to the bit, what the instances would have computed.
//
// It knows the typed program, operators and types: neither the text nor devices.
package evaluate
