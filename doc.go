// Package imgc is the compiler as a library, and what its command line, its tests and an editor's language server call. It joins
// the packages below it, which do not know each other.
//
//	result, err := imgc.Check(ctx, "blur.img", text, imgc.Options{})
//	diag.Text(os.Stderr, result.Diagnostics, diag.TextOptions{})
//	if result.Program == nil { ... }                            // the text has errors
//
//	device, err := imgc.OpenDevice("")                          // the first OpenCL device, or the reference interpreter
//	defer device.Close()
//	results, err := result.Program.Run(ctx, device, "blur", imgc.Args{...})
//
//	kernels, err := result.Program.OpenCL()                     // OpenCL C as text
//	files, err := result.Program.Project(imgc.ProjectOptions{}) // the files of a C library around it
//
// What is wrong with a program is a diagnostic. An error is everything else, and says by its type who can help: *UsageError is a
// wrong call (a pipeline or device that is not there), *CallError an argument that does not fit, *DeviceError a device or tool
// that failed, *InternalError a fault of imgc itself; what a cancelled context stops wraps the context's cause. Nothing panics.
//
// All functions may be called concurrently; a Device runs one thing at a time.
package imgc
