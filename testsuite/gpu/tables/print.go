package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// printTables prints what was predicted and measured of each pipeline, and what each decision brings: the time without it over the time
// with it.
func printTables(w io.Writer, files []string) error {
	order, lines, err := read(files)
	if err != nil {
		return err
	}
	var pipelines, omitted []string
	by, names := map[string]map[string]line{}, namesOf(order, lines)
	for _, k := range order {
		l := lines[k]
		name := names[l.File] + "/" + l.Pipeline
		if by[name] == nil {
			by[name] = map[string]line{}
			pipelines = append(pipelines, name)
		}
		by[name][l.Variant] = l
		if what, ok := strings.CutPrefix(l.Variant, "without-"); ok && !slices.Contains(omitted, what) {
			omitted = append(omitted, what)
		}
	}
	printRanks(w, pipelines, by)
	printOmissions(w, pipelines, omitted, by)
	for _, k := range order {
		if l := lines[k]; l.Error != "" {
			fmt.Fprintf(w, "\n%s: %s", l.key(), l.Error)
		}
	}
	_, err = fmt.Fprintln(w)
	return err
}

// namesOf are the names of files without folders, but where another folder has one of the same name.
func namesOf(order []string, lines map[string]line) map[string]string {
	names, folders := map[string]string{}, map[string]map[string]bool{}
	short := func(file string) string { return strings.TrimSuffix(filepath.Base(file), ".img") }
	for _, k := range order {
		file := lines[k].File
		if folders[short(file)] == nil {
			folders[short(file)] = map[string]bool{}
		}
		folders[short(file)][filepath.Dir(file)] = true
	}
	for _, k := range order {
		file := lines[k].File
		if names[file] = short(file); len(folders[short(file)]) > 1 {
			names[file] = filepath.Base(filepath.Dir(file)) + "/" + short(file)
		}
	}
	return names
}

func printRanks(w io.Writer, pipelines []string, by map[string]map[string]line) {
	fmt.Fprintln(w, "| pipeline | predicted us | first us | best us | tried | first / best | the best is |\n|---|--:|--:|--:|--:|--:|---|")
	good, total := 0, 0
	for _, name := range pipelines {
		first := by[name][planned]
		if first.Microseconds == 0 {
			continue
		}
		best, tried := first, 0
		for variant, l := range by[name] {
			if !strings.HasPrefix(variant, "rank-") || l.Microseconds == 0 {
				continue
			}
			if tried++; l.Microseconds < best.Microseconds {
				best = l
			}
		}
		total++
		if first.Microseconds <= 1.1*best.Microseconds {
			good++
		}
		fmt.Fprintf(w, "| `%s` | %.1f | %.1f | %.1f | %d | %.2f | `%s` |\n", name, first.Predicted, first.Microseconds, best.Microseconds, tried,
			first.Microseconds/best.Microseconds, cmp.Or(best.Schedule, "one instance for each work-item"))
	}
	fmt.Fprintf(w, "\nWithin 10 %% of the best: %d of %d.\n\n", good, total)
}

func printOmissions(w io.Writer, pipelines, omitted []string, by map[string]map[string]line) {
	fmt.Fprintf(w, "| pipeline | %s | padding |\n|---%s|--:|\n", strings.Join(omitted, " | "), strings.Repeat("|--:", len(omitted)))
	for _, name := range pipelines {
		row := by[name]
		ratio := func(without, with string) string {
			if row[without].Microseconds == 0 || row[with].Microseconds == 0 {
				return ""
			}
			return fmt.Sprintf("%.2f", row[without].Microseconds/row[with].Microseconds)
		}
		cells := make([]string, len(omitted))
		for i, o := range omitted {
			cells[i] = ratio("without-"+o, planned)
		}
		fmt.Fprintf(w, "| `%s` | %s | %s |\n", name, strings.Join(cells, " | "), ratio("narrow-unpadded", "narrow"))
	}
}
