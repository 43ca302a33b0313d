package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"imgc"
	"imgc/diag"
)

// stdinName is what diagnostics call a program that is read from standard input.
const stdinName = "stdin"

// programFlags are the flags of every verb that compiles.
type programFlags struct {
	defines     []string
	include     []string
	fp          string
	schedule    string
	arch        string
	diagnostics string
	passes      imgc.PassOptions
}

func (f *programFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&f.defines, "define", "D", nil, "set a const of the program: -D R=13 (repeatable)")
	cmd.Flags().StringVar(&f.diagnostics, "diagnostics", "text", "how to print diagnostics: text or json")
	cmd.Flags().StringArrayVarP(&f.include, "include", "I", nil, "look for imports in this folder, too (repeatable)")
	completeBy(cmd, "include", onlyFolders)
	complete(cmd, "diagnostics", "text", "json")
	complete(cmd, "define")
}

func (f *programFlags) addMode(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.fp, "fp", "contract",
		"floating point: contract (fused multiply-add), strict (as the reference interpreter) or fast")
	complete(cmd, "fp", imgc.ModeNames()...)
}

func (f *programFlags) addSchedule(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.schedule, "schedule", "", "a file of schedules, which take precedence over those of the program")
}

func (f *programFlags) addPasses(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.passes.Without, "without-pass", nil, "leave out a `PASS` over the kernels: "+strings.Join(imgc.Passes(), ", ")+" (repeatable)")
	cmd.Flags().StringVar(&f.passes.DumpAfter, "dump-after", "", "print the kernels as a `PASS` leaves them to standard error")
	complete(cmd, "without-pass", imgc.Passes()...)
	complete(cmd, "dump-after", imgc.Passes()...)
}

func (f *programFlags) addArch(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.arch, "arch", "", "architecture model to plan for: a `NAME` of imgc archs, or a file that ends in .yaml")
	completeBy(cmd, "arch", archNames)
}

// options are the façade's options for these flags.
func (f *programFlags) options() (imgc.Options, error) {
	opts := imgc.Options{Defines: map[string]string{}, IncludeDirs: f.include, Passes: f.passes}
	for _, d := range f.defines {
		name, value, ok := strings.Cut(d, "=")
		switch _, twice := opts.Defines[name]; {
		case !ok || !isName(name) || value == "":
			return opts, wrongUse("-D %s: write -D NAME=VALUE", d)
		case twice:
			return opts, wrongUse("-D %s: %s has a value already", d, name)
		}
		opts.Defines[name] = value
	}
	if f.diagnostics != "text" && f.diagnostics != "json" {
		return opts, wrongUse("--diagnostics %s: text or json", f.diagnostics)
	}
	if f.fp != "" {
		mode, err := imgc.ParseMode(f.fp)
		if err != nil {
			return opts, wrongUse("--fp %s: %v", f.fp, err)
		}
		opts.Mode = mode
	}
	if f.arch != "" {
		arch, err := openArch(f.arch)
		if err != nil {
			return opts, err
		}
		opts.Arch = arch
	}
	return opts, nil
}

// isName reports whether s is a name of the language.
func isName(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

// load reads and checks a program and prints its diagnostics to standard error. The program is not nil where err is.
func (f *programFlags) load(cmd *cobra.Command, path string, pipelines []string) (*imgc.Program, error) {
	opts, err := f.options()
	if err != nil {
		return nil, err
	}
	opts.Pipelines = pipelines
	if f.schedule != "" {
		if path == "-" && f.schedule == "-" {
			return nil, wrongUse("--schedule -: the program is read from standard input already")
		}
		name, text, err := readProgram(cmd.InOrStdin(), f.schedule)
		if err != nil {
			return nil, err
		}
		opts.Schedule = &imgc.Text{Name: name, Text: text}
	}
	name, text, err := readProgram(cmd.InOrStdin(), path)
	if err != nil {
		return nil, err
	}
	result, err := imgc.Check(cmd.Context(), name, text, opts)
	if err != nil {
		return nil, err
	}
	if result.Diagnostics.Len() > 0 || f.diagnostics == "json" {
		f.print(cmd.ErrOrStderr(), result.Diagnostics)
	}
	if result.Program == nil {
		return nil, errReported
	}
	return result.Program, nil
}

// saySchedule says so where the file of schedules has none for what is planned for: a device, or nil where none is opened.
func (f *programFlags) saySchedule(cmd *cobra.Command, program *imgc.Program, device *imgc.Device) {
	devices := program.Unheeded(device)
	if len(devices) == 0 {
		return
	}
	planned := "without --arch kernels are for no device in particular"
	switch {
	case f.arch != "":
		planned = "this is planned for " + f.arch
	case device != nil:
		planned = "this runs on " + device.String()
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "imgc: %s changes nothing: its schedules are for %s, and %s\n", f.schedule, strings.Join(devices, ", "), planned)
}

// print prints diagnostics the way the flag asks for.
func (f *programFlags) print(w io.Writer, list *diag.List) error {
	if f.diagnostics == "json" {
		return diag.JSON(w, list)
	}
	return diag.Text(w, list, diag.TextOptions{Color: isTerminal(w) && os.Getenv("NO_COLOR") == ""})
}

// readProgram reads a program's text; "-" is standard input.
func readProgram(in io.Reader, path string) (name, text string, err error) {
	r := in
	name = stdinName
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return "", "", badInput(plainFileError(path, err))
		}
		defer file.Close()
		r, name = file, path
	}
	b, err := io.ReadAll(io.LimitReader(r, imgc.MaxText+1))
	switch {
	case err != nil:
		return "", "", badInput(plainFileError(name, err))
	case len(b) > imgc.MaxText:
		return "", "", badInput(fmt.Errorf("%s is larger than %d MiB: no program", name, imgc.MaxText>>20))
	case slices.Contains(b[:min(len(b), 512)], 0):
		return "", "", badInput(fmt.Errorf("%s is no text: it has bytes of value 0", name))
	}
	return name, string(b), nil
}

// plainFileError says what is wrong with a file without the name of a system call.
func plainFileError(path string, err error) error {
	return fmt.Errorf("%s: %w", path, plainCause(err))
}

// plainCause drops the system call and path of a file error.
func plainCause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&fs.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}
