package imgc

import (
	"imgc/emit/opencl"
	"imgc/kir"
	"imgc/optimize/lower"
)

// An OpenCL is a program lowered to kernels and printed as OpenCL C.
type OpenCL struct {
	Program *kir.Program   // kernels, and for each pipeline the plan of its host
	Output  *opencl.Output // the text
}

// OpenCL compiles the program to OpenCL C. The same program gives the same text.
func (p *Program) OpenCL() (*OpenCL, error) { return p.openCL(opencl.Options{Version: Version()}) }

func (p *Program) openCL(opts opencl.Options) (out *OpenCL, err error) {
	defer guard(&err, "compiling %s", p.File())
	choices := lower.Defaults()
	choices.Mode = p.options.Mode
	lowered := lower.Program(p.typed, choices)
	printed, err := opencl.Emit(lowered, opts)
	if err != nil {
		return nil, &InternalError{Doing: "printing the kernels of " + p.File(), Fault: err}
	}
	return &OpenCL{lowered, printed}, nil
}
