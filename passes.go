package imgc

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"imgc/kir"
	"imgc/optimize/pass"
)

// PassOptions say which passes over kernels run and what happens between them.
type PassOptions struct {
	Without   []string // names of passes that are left out
	DumpAfter string   // the pass after which the kernels are written to Dump; "" for none
	Dump      io.Writer
	Verify    bool // whether what each pass leaves is verified, as what is printed in the end always is
}

// Passes are the names of the passes over kernels, in the order in which they run.
func Passes() []string { return pass.Names() }

// check reports names that no pass has.
func (o PassOptions) check() error {
	for _, name := range append(slices.Clone(o.Without), o.DumpAfter) {
		if name != "" && !slices.Contains(Passes(), name) {
			return usagef("there is no pass %s; there are %s", name, strings.Join(Passes(), ", "))
		}
	}
	return nil
}

// run applies the passes to a program.
func (o PassOptions) run(p *kir.Program) error {
	if err := o.check(); err != nil {
		return err
	}
	return pass.Run(p, pass.Options{Without: o.Without, After: func(name string, p *kir.Program) error {
		if name == o.DumpAfter && o.Dump != nil {
			if _, err := fmt.Fprint(o.Dump, kir.Dump(p)); err != nil {
				return err
			}
		}
		if o.Verify {
			return kir.Verify(p)
		}
		return nil
	}})
}
