package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"imgc"
)

// sizeFlags are the flags that say what sizes of images a plan is made for.
type sizeFlags struct {
	size string
	set  []string
}

func (f *sizeFlags) addSizes(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.size, "size", "", "rows and columns of the images that are planned for, `HxW`")
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "value of a size that is planned for, `NAME=VALUE`")
}

// sizes are the values of size names: --size for those that the last two extents of images bind, then --set.
func (f *sizeFlags) sizes(program *imgc.Program) (map[string]int64, error) {
	out := map[string]int64{}
	if f.size != "" {
		rows, columns, err := parseSize(f.size)
		if err != nil {
			return nil, err
		}
		out = program.ImageSizes(rows, columns)
	}
	for _, text := range f.set {
		name, value, _ := strings.Cut(text, "=")
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil || n < 0 {
			return nil, wrongUse("--set %s: expected NAME=VALUE with a size", text)
		}
		if !hasSize(program, name) {
			return nil, wrongUse("--set %s: no pipeline has a size of that name", text)
		}
		out[name] = n
	}
	return out, nil
}

func hasSize(program *imgc.Program, name string) bool {
	return slices.ContainsFunc(program.Pipelines, func(p *imgc.Pipeline) bool {
		return slices.ContainsFunc(p.Sizes, func(s *imgc.Size) bool { return s.Name == name })
	})
}

func parseSize(text string) (rows, columns int64, err error) {
	h, w, found := strings.Cut(text, "x")
	rows, errH := strconv.ParseInt(h, 10, 32)
	columns, errW := strconv.ParseInt(w, 10, 32)
	if !found || errH != nil || errW != nil || rows < 1 || columns < 1 {
		return 0, 0, wrongUse("--size %s: expected rows and columns, such as 1080x1920", text)
	}
	return rows, columns, nil
}
