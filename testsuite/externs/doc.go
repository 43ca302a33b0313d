// Package externs tests extern funcs: functions in OpenCL C that programs name, on devices and in generated libraries against Go
// functions that the interpreter gets for them, and what is reported about them.
package externs
