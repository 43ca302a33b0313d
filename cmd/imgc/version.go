package main

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"imgc"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long:  `version prints the version of imgc, the commit that it was built from where that is known, and how it was built.`,
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "imgc %s%s\n%s %s/%s, %s\n",
				imgc.Version(), revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH, openCL())
			return failedOrNil(err)
		},
	}
}

// revision is the commit, where the build recorded it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	commit, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", with changes"
		}
	}
	if commit == "" {
		return ""
	}
	return fmt.Sprintf(" (%s%s)", commit, changed)
}

// openCL says whether OpenCL devices can be reached at all.
func openCL() string {
	if _, err := imgc.Devices(); errors.Is(err, imgc.ErrNoOpenCL) {
		return "without OpenCL"
	}
	return "with OpenCL"
}

func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return wrongUse("%s: nothing more is expected", args[0])
	}
	return nil
}

func failedOrNil(err error) error {
	if err == nil {
		return nil
	}
	return failed(err)
}
