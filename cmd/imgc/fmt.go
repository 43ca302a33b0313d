package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"imgc"
	"imgc/diag"
	"imgc/temporary"
)

func newFmt() *cobra.Command {
	var write, differ bool
	cmd := &cobra.Command{
		Use:   "fmt [-w | -d] FILE...",
		Short: "Format programs",
		Long: `fmt prints programs in the canonical layout, comments kept. With -w it rewrites the files
that are not in it, with -d it prints what would change and exits with status 1 if anything
would. FILE may be - for standard input.

A file with syntax errors is left as it is.`,
		Example: `  imgc fmt blur.img
  imgc fmt -w samples/basics/*.img
  imgc fmt -d blur.img`,
		Args:              atLeastOneFile,
		ValidArgsFunction: programFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if write && differ {
				return wrongUse("-w rewrites the files, -d only shows what would change: one of the two")
			}
			f := &formatter{cmd: cmd, write: write, differ: differ}
			return f.all(args)
		},
	}
	cmd.Flags().BoolVarP(&write, "write", "w", false, "rewrite the files")
	cmd.Flags().BoolVarP(&differ, "diff", "d", false, "print the differences")
	return cmd
}

type formatter struct {
	cmd           *cobra.Command
	write, differ bool
	diags         diag.List
	unread        bool
	changed       bool
}

// all formats every file that can be read and has no errors, before it says what was wrong with others.
func (f *formatter) all(paths []string) error {
	for _, path := range paths {
		if path == "-" && f.write {
			return wrongUse("standard input cannot be rewritten; leave -w out")
		}
	}
	for _, path := range paths {
		if err := f.one(path); err != nil {
			return err
		}
	}
	text := programFlags{diagnostics: "text"}
	if err := text.print(f.cmd.ErrOrStderr(), &f.diags); err != nil {
		return failed(err)
	}
	if f.diags.HasErrors() || f.unread || f.differ && f.changed {
		return errReported
	}
	return nil
}

func (f *formatter) one(path string) error {
	name, text, err := readProgram(f.cmd.InOrStdin(), path)
	if err != nil {
		report(f.cmd.ErrOrStderr(), f.cmd, err)
		f.unread = true
		return nil
	}
	formatted, diags, err := imgc.Format(name, text)
	if err != nil {
		return err
	}
	f.diags.Append(diags)
	if diags.HasErrors() {
		return nil
	}
	f.changed = f.changed || formatted != text
	switch {
	case f.differ:
		_, err = f.cmd.OutOrStdout().Write(diff.Diff(name, []byte(text), name+" formatted", []byte(formatted)))
	case !f.write:
		_, err = io.WriteString(f.cmd.OutOrStdout(), formatted)
	case formatted != text:
		err = replaceFile(path, []byte(formatted))
	}
	return failedOrNil(err)
}

// replaceFile gives a file new contents, completely or not at all. Links stay links, permissions stay.
func replaceFile(path string, contents []byte) error {
	place, err := filepath.EvalSymlinks(path)
	if err != nil {
		return plainFileError(path, err)
	}
	info, err := os.Stat(place)
	if err != nil {
		return plainFileError(path, err)
	}
	temp, err := os.CreateTemp(filepath.Dir(place), ".imgc-*.tmp")
	if err != nil {
		return fmt.Errorf("%s cannot be rewritten: %w", path, plainFileError(filepath.Dir(place), err))
	}
	temporary.Keep(temp.Name())
	defer temporary.Forget(temp.Name())
	defer os.Remove(temp.Name()) // fails once it is renamed
	_, err = io.Copy(temp, bytes.NewReader(contents))
	if err == nil {
		err = temp.Chmod(info.Mode().Perm())
	}
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temp.Name(), place)
	}
	if err != nil {
		return plainFileError(path, err)
	}
	return nil
}
