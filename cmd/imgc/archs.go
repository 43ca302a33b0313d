package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"imgc"
)

func newArchs() *cobra.Command {
	return &cobra.Command{
		Use:   "archs [NAME | FILE.yaml]",
		Short: "List the architecture models, or show one",
		Long: `archs lists the architecture models that imgc comes with: what it knows of devices and plans
schedules with. With a name it prints that model in full, every figure with its source; what
nobody knows is written as unknown. With a file it checks and prints a model of your own.`,
		Example: `  imgc archs
  imgc archs nvidia-h200
  imgc archs my-gpu.yaml`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return wrongUse("%s: archs shows one model at a time", args[1])
			}
			return nil
		},
		ValidArgsFunction: archNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listArchs(cmd.OutOrStdout())
			}
			m, err := openArch(args[0])
			if err != nil {
				return err
			}
			_, err = io.WriteString(cmd.OutOrStdout(), m.Text())
			return failedOrNil(err)
		},
	}
}

// openArch reads a model; what is wrong with a file is wrong input.
func openArch(nameOrFile string) (*imgc.Architecture, error) {
	m, err := imgc.OpenArchitecture(nameOrFile)
	if err != nil && statusOf(err) != statusUse {
		return nil, badInput(err)
	}
	return m, err
}

func listArchs(w io.Writer) error {
	list, err := imgc.Architectures()
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, m := range list {
		known, all := m.Known()
		fmt.Fprintf(&b, "%-22s %s, %s (%d of %d figures)\n", m.Name, strings.ToUpper(m.Class.String()), m.Title, known, all)
	}
	_, err = io.WriteString(w, b.String())
	return failedOrNil(err)
}

// archNames completes the names of models; other words are files.
func archNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	list, _ := imgc.Architectures() // without models there is nothing to offer
	var names []string
	for _, m := range list {
		names = append(names, cobra.CompletionWithDesc(m.Name, m.Title))
	}
	return names, cobra.ShellCompDirectiveDefault
}
