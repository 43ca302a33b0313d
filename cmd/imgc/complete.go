package main

import (
	"strings"

	"github.com/spf13/cobra"

	"imgc"
)

// complete gives a flag a fixed list of values; none is "nothing to complete", where the shell would offer files.
func complete(cmd *cobra.Command, flag string, values ...string) {
	completeBy(cmd, flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

func completeBy(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // a flag that the command has not: found by the first test
	}
}

// programFiles completes program files.
func programFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"img"}, cobra.ShellCompDirectiveFilterFileExt
}

// programThenFiles completes a program file and then any file.
func programThenFiles(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return programFiles(cmd, args, word)
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// pipelineOf is what completion knows of the program on the command line: its pipelines, as far as it has no errors.
func pipelinesOf(cmd *cobra.Command, args []string) []*imgc.Pipeline {
	if len(args) == 0 || args[0] == "-" {
		return nil
	}
	name, text, err := readProgram(nil, args[0])
	if err != nil {
		return nil
	}
	result, err := imgc.Check(cmd.Context(), name, text, imgc.Options{})
	if err != nil || result.Program == nil {
		return nil
	}
	return result.Program.Pipelines
}

// pipelineNames completes the names of the program's pipelines.
func pipelineNames(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, p := range pipelinesOf(cmd, args) {
		names = append(names, cobra.CompletionWithDesc(p.Name, p.String()))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// argumentNames completes the NAME= of --in, --out and --set, and leaves what follows to the shell.
func argumentNames(fits func(*imgc.Param) bool, sizes bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if strings.Contains(word, "=") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var names []string
		for _, p := range pipelinesOf(cmd, args) {
			for _, q := range p.Params {
				if fits(q) {
					names = append(names, cobra.CompletionWithDesc(q.Name+"=", q.String()))
				}
			}
			for _, s := range p.Sizes {
				if sizes {
					names = append(names, cobra.CompletionWithDesc(s.Name+"=", "size of "+s.Param))
				}
			}
		}
		return names, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
}

// deviceNames completes devices.
func deviceNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names := []string{cobra.CompletionWithDesc("ref", "the reference interpreter")}
	list, _ := imgc.Devices() // without devices there is nothing more to offer
	for i, d := range list {
		names = append(names, cobra.CompletionWithDesc(deviceSelector(i), d.String()))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
