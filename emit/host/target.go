package host

import (
	"fmt"
	"strings"

	"imgc/emit/clike"
	"imgc/emit/cuda"
	"imgc/emit/opencl"
	"imgc/kir"
	"imgc/types"
)

// A target is what projects for OpenCL and for CUDA differ in: the folder of what its templates are completed with, the support code,
// and words.
type target struct {
	title     string   // "CUDA"
	folder    string   // of templates
	support   []string // files of support code, of which later ones call what is in earlier ones
	extension string   // of the kernels' file
	memory    string   // the type of device memory
	graphs    bool     // calls may be captured as graphs
	statuses  []status
	handle    string                    // makes kernel from an index
	written   string                    // sets an argument that is memory which the kernel writes
	table     string                    // sets an argument, by its number, that is a constant array of the library's, by that of the array; "" where kernels have these themselves
	first     argument                  // of kernels that may be launched in parts
	last      string                    // launches a kernel as the last command of a call
	argTypes  func(k types.Kind) string // of a kernel's scalars, for readers
	imageType func(p *kir.Var) string   // of a kernel's images
}

var openclTarget = &target{
	title: "OpenCL", folder: "opencl", support: []string{"opencl.c"}, extension: "cl", memory: "cl_mem",
	statuses: statuses(
		status{"QUEUE", "status_queue", "the queue is not one of this context and device", "The queue does not belong to the context and device given on creation."},
		status{"BUFFER", "status_memory_object", "a buffer is not one of this context, or not for this use", "A buffer is not valid, belongs to another context, or forbids the use that is made of it."},
		status{"BUILD", "status_build", "the device's compiler refused the kernels", "The device's compiler refused the kernels."},
		status{"OPENCL", "status_opencl", "an OpenCL call failed", "An OpenCL call failed."}),
	handle:    "cl_kernel kernel = self->kernels[%d];",
	written:   "memory_arg",
	table:     "arg(self, kernel, %d, sizeof(cl_mem), &self->tables[%d])",
	last:      "last_launch",
	argTypes:  func(k types.Kind) string { return clTypes[k] },
	imageType: func(*kir.Var) string { return "cl_mem" },
}

var cudaTarget = &target{
	title: "CUDA", folder: "cuda", support: []string{"capture.c", "cuda.c", "graph.c"}, extension: "cu", memory: "char *", graphs: true,
	statuses: statuses(
		status{"BUFFER", "status_memory_object", "a pointer is not to memory of this device", "A pointer is not to memory that the device reaches."},
		status{"BUILD", "status_build", "built without code for the device, or by too old a toolkit", "The library has no code for the device, or was built with a toolkit too old for graphs; build it for the device's architecture, or with a newer toolkit."},
		status{"CUDA", "status_cuda", "a CUDA call failed", "A CUDA call failed."}),
	handle:    "struct kernel at, *kernel = kernel_at(&at, %d);",
	written:   "written_arg",
	first:     argument{cuda.First, cuda.FirstType, "{y, z} of the first block; {0, 0} unless there are more than a grid may have"},
	last:      "launch",
	argTypes:  cuda.ArgumentType,
	imageType: cuda.BufferType,
}

// statuses are the rows of the table of what can go wrong: those that all targets have, between those of one. The last of own is the
// last of all, the first ones come before memory fails.
func statuses(own ...status) []status {
	table := []status{
		{"OK", "status_ok", "done", "Success."},
		{"NULL", "status_null", "a pointer is null", "A pointer that must not be null is null."},
		{"EXTENT", "status_extent", "an extent does not fit the others, or the memory", "An extent of an image is not what the program asks for."},
		{"PITCH", "status_pitch", "a pitch or offset is too small or not aligned", "A pitch or an offset is too small, or no multiple of the size of a component."},
		{"OVERLAP", "status_overlap", "images share memory and one of them is written", "Two images overlap, and one of them is written."},
		{"SIZE", "status_size", "an image or iteration is too large", "An image or an iteration is too large."},
		{"CONDITION", "status_condition", "a condition of the program does not hold", "A condition that the program puts on sizes or arguments does not hold."},
	}
	last := len(own) - 1
	table = append(table, own[:last-1]...)
	table = append(table,
		status{"WORKSPACE", "status_workspace", "a workspace is too small or not aligned", "A workspace is too small, or does not start where it may."},
		status{"MEMORY", "status_memory", "out of host memory", "There is not enough host memory."},
		status{"DEVICE_MEMORY", "status_device_memory", "out of device memory", "There is not enough device memory."},
		own[last-1],
		status{"DEVICE", "status_device", "the device lacks something that the program needs", "The device lacks something that the program needs."})
	return append(table, own[last])
}

// clTypes are OpenCL's names of a kernel's scalars.
var clTypes = map[types.Kind]string{
	types.Bool: "cl_uchar",
	types.I8:   "cl_char", types.I16: "cl_short", types.I32: "cl_int", types.I64: "cl_long",
	types.U8: "cl_uchar", types.U16: "cl_ushort", types.U32: "cl_uint", types.U64: "cl_ulong",
	types.F16: "cl_ushort", types.BF16: "cl_ushort", types.F32: "cl_float", types.F64: "cl_double",
}

// kernels are emitted kernels, whatever the target.
type kernels struct {
	source string
	list   []clike.KernelInfo

	options, optionalOptions, capability string // of OpenCL's compiler
	fp64, int64Atomics                   bool   // what OpenCL's device has to have
	flags                                string // of nvcc
	architectures                        string // that CMake builds for
}

// OpenCL returns the files of an OpenCL project by path relative to its folder. p and printed are of one compilation. It fails where
// Options.Name cannot name a C library.
func OpenCL(p *kir.Program, printed *opencl.Output, opts Options) (map[string][]byte, error) {
	return project(p, openclTarget, kernels{
		source: printed.Source, list: printed.Kernels, options: printed.BuildOptions, optionalOptions: printed.RoundedDivide, capability: printed.Capability,
		fp64: printed.UsesFP64, int64Atomics: printed.UsesInt64Atomics,
	}, opts)
}

// CUDA returns the files of a CUDA project in the same way. Architecture is what it is built for where its builder says nothing: a
// compute capability as CMake spells it, "90"; "" where no device is known.
func CUDA(p *kir.Program, printed *cuda.Output, architecture string, opts Options) (map[string][]byte, error) {
	if architecture == "" {
		architecture = cuda.OldestArchitecture
	}
	return project(p, cudaTarget, kernels{
		source: printed.Source + kernelTable(opts.Name, printed.Kernels), list: printed.Kernels, flags: strings.Join(printed.Flags, ";"),
		architectures: architecture,
	}, opts)
}

// Together is the CMake file of a folder with a project for each of several targets, in folders of their names.
func Together(name string, folders []string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: the same image functions for several targets, each in its folder.\ncmake_minimum_required(VERSION 3.10)\nproject(%s LANGUAGES C)\n", name, name)
	for _, f := range folders {
		fmt.Fprintf(&b, "\noption(%s_%s \"Build %s/\" ON)\nif(%s_%s)\n    add_subdirectory(%s)\nendif()\n",
			strings.ToUpper(name), strings.ToUpper(f), f, strings.ToUpper(name), strings.ToUpper(f), f)
	}
	return []byte(b.String())
}

// kernelTable is the function by which the host code, which is C, gets at kernels.
func kernelTable(name string, list []clike.KernelInfo) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n// The kernels, for the library's host code.\nextern \"C\" const void *%s_kernel(int index)\n{\n", name)
	b.WriteString("    static const void *const kernels[] = {\n")
	for _, k := range list {
		fmt.Fprintf(&b, "        (const void *)%s,\n", k.Name)
	}
	if len(list) == 0 {
		b.WriteString("        nullptr,\n")
	}
	b.WriteString("    };\n    return kernels[index];\n}\n")
	return b.String()
}
