// Package device runs compiled programs (kir) on OpenCL devices. It is the host plan's interpreter, as the generated C library is
// its compiled form: it holds arguments against parameters, binds sizes, compares extents, tests the checks, and only then
// allocates, copies, launches and reads back.
//
//	d, err := device.Open("opencl")                  // or part of a device's name
//	defer d.Close()
//	program, err := d.Compile(kirProgram)
//	results, err := program.Run(ctx, "blur", device.Args{...}, device.Layout{})
//
// A call that does not fit is an *Error in the program's terms, worded like the reference interpreter's; every other error is the
// device's. Built without cgo, the package lists and opens nothing and says why.
//
// It knows kir, the printed kernels, types and images: neither the language nor how the plan was decided.
package device
