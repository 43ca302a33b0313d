package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"imgc/testsuite/differential/trial"
)

// callComment is how a shrunken program says with which call it failed.
var callComment = regexp.MustCompile(`(?m)^// call ([0-9]+)`)

// callsOf are ranges of numbers of calls that a program is to be tried with: some first ones, and those that its comments name.
func callsOf(text string) ([][2]uint64, error) {
	all := [][2]uint64{{0, 9}}
	for _, m := range callComment.FindAllStringSubmatch(text, -1) {
		n, err := strconv.ParseUint(m[1], 10, 64)
		if err != nil {
			return nil, err
		}
		all = append(all, [2]uint64{n, n})
	}
	return all, nil
}

// files tries the programs of files.
func (p *plan) files(names []string) error {
	w := &worker{patience: patience}
	defer w.stop()
	t := &tally{start: time.Now()}
	bad := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		calls, err := callsOf(string(text))
		if err != nil {
			return err
		}
		for _, c := range calls {
			q := request{Text: string(text), First: c[0], Last: c[1], Unoptimized: p.optimized != 1}
			if o := w.try(q); o.Kind != trial.Agrees {
				fmt.Printf("%s: %v\n", filepath.Base(name), o)
				bad++
				if p.shrink {
					p.report(strings.TrimSuffix(filepath.Base(name), ".img"), q, o, w, t)
				}
			}
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d times, a program of a file fails", bad)
	}
	return nil
}

// fewerDirectives leaves out what the first line of a program asks for as long as it fails all the same.
func fewerDirectives(text string, fails func(text string) bool) string {
	for smaller := true; smaller; {
		smaller = false
		for _, fewer := range trial.Fewer(text) {
			if smaller = fails(fewer); smaller {
				text = fewer
				break
			}
		}
	}
	return text
}
