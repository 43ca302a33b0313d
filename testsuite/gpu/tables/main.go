package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"
)

// A line is what is known of one variant of one pipeline.
type line struct {
	File         string  `json:"file"`
	Pipeline     string  `json:"pipeline"`
	Variant      string  `json:"variant"`
	Schedule     string  `json:"schedule,omitempty"`  // of the stage that takes longest
	Predicted    float64 `json:"predicted,omitempty"` // microseconds
	Microseconds float64 `json:"microseconds,omitempty"`
	Error        string  `json:"error,omitempty"`
	Begun        bool    `json:"begun,omitempty"` // no result: what the process does next
}

func (l line) key() string { return l.File + " " + l.Pipeline + " " + l.Variant }

// A config is how everything is measured.
type config struct {
	device, arch, earlier, lock string
	size, count, runs, workers  int
	budget, patience            time.Duration
	only                        string // what the names of measured variants begin with
	pipeline, skip              string // of a process that measures one pipeline
	full                        bool
}

func main() {
	var c config
	flag.StringVar(&c.device, "device", "opencl", "the device, as imgc's --device names it: where several drivers are there, best by a part of its name")
	flag.StringVar(&c.arch, "arch", "nvidia-h200", "the architecture model that plans are made for")
	flag.StringVar(&c.earlier, "earlier", "", "files of earlier output, with commas between")
	flag.IntVar(&c.size, "size", 4096, "rows and columns of images")
	flag.IntVar(&c.count, "count", 20, "schedules by rank")
	flag.IntVar(&c.runs, "runs", 5, "the least time of so many runs counts")
	flag.IntVar(&c.workers, "workers", 8, "processes at a time")
	flag.DurationVar(&c.budget, "budget", time.Minute, "nothing is begun after this time")
	flag.DurationVar(&c.patience, "patience", 15*time.Second, "a schedule that takes longer is given up")
	flag.StringVar(&c.only, "only", "", "measure only variants whose names begin so: rank, without, narrow")
	flag.StringVar(&c.pipeline, "pipeline", "", "measure this pipeline of the one program, in this process")
	flag.StringVar(&c.skip, "skip", "", "variants that are left out then, with commas between")
	flag.StringVar(&c.lock, "lock", "", "a file that measuring processes lock")
	flag.BoolVar(&c.full, "full", false, "with again: all pipelines, not only those whose first choice is slow")
	flag.Parse()
	err := errors.New("usage: tables [flags] PROGRAM..., tables print FILE... or tables [flags] again FILE")
	switch files := flag.Args(); {
	case len(files) > 1 && files[0] == "print":
		err = printTables(os.Stdout, files[1:])
	case len(files) > 1 && files[0] == "again":
		err = c.again(os.Stdout, files[1:])
	case len(files) == 1 && c.pipeline != "":
		err = c.one(files[0])
	case len(files) > 0:
		err = c.all(files)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// read collects the lines of files of output, the last one of each variant; what else is in them is passed over.
func read(files []string) (order []string, lines map[string]line, err error) {
	lines = map[string]line{}
	for _, name := range files {
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, nil, err
		}
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			var l line
			if !strings.HasPrefix(s.Text(), "{") || json.Unmarshal(s.Bytes(), &l) != nil || l.Begun || l.Variant == "" {
				continue
			}
			if _, known := lines[l.key()]; !known {
				order = append(order, l.key())
			}
			lines[l.key()] = l
		}
	}
	return order, lines, nil
}

func emit(l line) {
	text, err := json.Marshal(l)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}
