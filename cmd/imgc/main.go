package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"imgc"
	"imgc/diag"
)

// garbage is by how many hundredths of what is in use memory may grow before it is collected, where GOGC does not say. A run of imgc takes some tens of milliseconds and megabytes, of which a third was spent
// on collecting, again and again, what it would soon have left behind in any case.
const garbage = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	ctx, stop := interruptible(os.Stderr)
	status := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop.keep()
	os.Exit(stop.status(status))
}

// run carries out a command line and returns its exit status.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	cmd, err := execute(ctx, root)
	if err == nil {
		return statusFine
	}
	report(errOut, cmd, err)
	return statusOf(err)
}

// execute runs the command. The façade's functions do not panic; what panics around them is our fault all the same.
func execute(ctx context.Context, root *cobra.Command) (cmd *cobra.Command, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			cmd, err = root, &imgc.InternalError{Doing: "reading the command line", Fault: fault, Stack: debug.Stack()}
		}
	}()
	return root.ExecuteContextC(ctx)
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "imgc",
		Short: "Compiler for image programs",
		Long: `imgc compiles image programs (.img files) to OpenCL and CUDA.

It checks them, runs them on an OpenCL device or with a reference interpreter, and
writes C libraries around their kernels that build with CMake.`,
		Example: `  imgc check sharpen.img
  imgc run sharpen.img photo.png sharpened.png
  imgc build sharpen.img -o sharpen-opencl`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: false},
		Args:              noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return wrongUse("say what to do: %s", verbs(cmd))
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		text, _, _ := strings.Cut(err.Error(), ": strconv.") // how Go reads numbers is nobody's concern
		return wrongUse("%s", text)
	})
	root.AddCommand(newCheck(), newBuild(), newRun(), newBench(), newTune(), newExplain(), newFmt(), newDevices(), newArchs(), newProbe(), newVersion())
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" { // cobra shows the help of imgc itself for a word that is no command
			c.Args = func(cmd *cobra.Command, args []string) error {
				if found, _, err := root.Find(args); len(args) > 0 && (err != nil || found == root) {
					return noSuchCommand(root, args)
				}
				return nil
			}
		}
	}
	root.PersistentFlags().SortFlags = false
	return root
}

// noSuchCommand refuses what stands behind imgc and is no command.
func noSuchCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	if s := diag.Suggest(args[0], names); s != "" {
		return wrongUse("there is no command %s; did you mean %s?", args[0], s)
	}
	return wrongUse("there is no command %s; say what to do: %s", args[0], verbs(root))
}

// verbs lists the commands for a message.
func verbs(root *cobra.Command) string {
	list := ""
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			list += c.Name() + " "
		}
	}
	return fmt.Sprintf("%sor --help", list)
}
