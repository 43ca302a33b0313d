package main

import (
	"github.com/spf13/cobra"

	"imgc"
	"imgc/diag"
)

func newCheck() *cobra.Command {
	var flags programFlags
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Parse, type-check and prove programs",
		Long: `check parses programs, checks their types and proves that every access stays in its
image and that no two instances write one pixel. It prints what it finds, all errors of
all files in one run, and nothing where there is nothing to say.

Diagnostics go to standard error, with --diagnostics=json to standard output: one array
for all files. FILE may be - for standard input.`,
		Example: `  imgc check blur.img
  imgc check samples/basics/*.img
  imgc check -D R=13 --diagnostics=json gaussian.img`,
		Args:              atLeastOneFile,
		ValidArgsFunction: programFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return check(cmd, &flags, args)
		},
	}
	flags.add(cmd)
	return cmd
}

func atLeastOneFile(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return wrongUse("name a program file, or - for standard input")
	}
	return nil
}

// check checks every file that can be read, then prints all diagnostics.
func check(cmd *cobra.Command, flags *programFlags, paths []string) error {
	opts, err := flags.options()
	if err != nil {
		return err
	}
	all := &diag.List{}
	var unread error
	for _, path := range paths {
		name, text, err := readProgram(cmd.InOrStdin(), path)
		if err != nil {
			report(cmd.ErrOrStderr(), cmd, err)
			unread = err
			continue
		}
		result, err := imgc.Check(cmd.Context(), name, text, opts)
		if err != nil {
			return err
		}
		all.Append(result.Diagnostics)
	}
	w := cmd.ErrOrStderr()
	if flags.diagnostics == "json" {
		w = cmd.OutOrStdout()
	}
	if err := flags.print(w, all); err != nil {
		return failed(err)
	}
	if all.HasErrors() || unread != nil {
		return errReported
	}
	return nil
}
