package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"imgc"
)

type tuneFlags struct {
	measureFlags
	size   string
	output string
	budget time.Duration
	resume bool
}

func newTune() *cobra.Command {
	var f tuneFlags
	cmd := &cobra.Command{
		Use:   "tune FILE --size HxW -o SCHEDULE.img",
		Short: "Find the fastest schedule of a program on a device by measuring",
		Long: `tune measures the pipelines of a program under one schedule after the other, on images of
random pixels, and writes the best ones to a file that run, bench and build take with
--schedule. It begins with what imgc run would do, changes where stages are computed, and
then each stage's decisions in the order in which the cost model ranks them.

--budget bounds the time, which the pipelines share. --resume goes on from the file that an
earlier tune has written. An interrupted tune writes what it has found until then. Before it
writes, tune compares the pixels of the best schedule with those of the first one.`,
		Example: `  imgc tune sharpen.img --size 1080x1920 -o sharpen.schedule.img
  imgc tune sharpen.img --size 1080x1920 -o sharpen.schedule.img --budget 10m --resume
  imgc run sharpen.img in.png out.png --schedule sharpen.schedule.img`,
		Args:              exactlyOneProgram,
		ValidArgsFunction: programFiles,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.tune(cmd, args[0]) },
	}
	f.addMeasure(cmd)
	cmd.Flags().StringVar(&f.size, "size", "", "rows and columns of images, `HxW`")
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "the file to write, or - for standard output")
	cmd.Flags().DurationVar(&f.budget, "budget", time.Minute, "how long schedules are tried")
	cmd.Flags().BoolVar(&f.resume, "resume", false, "go on from the file of -o")
	f.add(cmd)
	return cmd
}

func (f *tuneFlags) tune(cmd *cobra.Command, path string) error {
	earlier, err := f.begin()
	if err != nil {
		return err
	}
	program, err := f.load(cmd, path, nil)
	if err != nil {
		return err
	}
	pipelines, err := f.pipelines(program)
	if err != nil {
		return err
	}
	all, err := f.specimens(pipelines, []string{f.size})
	if err != nil {
		return err
	}
	device, err := openDevice(cmd, f.device)
	if err != nil {
		return err
	}
	defer device.Close()
	if earlier != nil && earlier.device != device.String() {
		return wrongUse("--resume: %s was found on %s; this is %s", f.output, earlier.device, device)
	}
	if err := willWrite(f.output); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, foundOn+"%s.\n", device)
	for i, s := range all {
		budget := f.budget / time.Duration(len(all)-i)
		start := time.Now()
		before, first := b.String(), earlier.before(s)
		write := func(found *imgc.Tuned) error {
			if first > 0 {
				found.Start = first
			}
			line := fmt.Sprintf("%s at %s: %s", s.pipeline.Name, s.sizeText(), found)
			b.Reset()
			fmt.Fprintf(&b, "%s\n// %s\n%s", before, line, found.Schedule)
			fmt.Fprintf(cmd.ErrOrStderr(), "imgc: %s\n", line)
			if last := i == len(all)-1; last || f.output != "-" || cmd.Context().Err() != nil { // what ends the next search does not take this one's result along
				return writeText(cmd.OutOrStdout(), f.output, b.String()+earlier.others(all[:i+1]))
			}
			return nil
		}
		so := func(step imgc.TuneStep) { // an interrupted search is worth what it has found
			onInterrupt(cmd.Context(), func() {
				if err := write(&step.So); err != nil {
					fmt.Fprintf(cmd.ErrOrStderr(), "imgc: %v\n", err)
				}
			})
		}
		found, err := f.search(cmd, program, device, s, imgc.TuneOptions{Budget: budget, Skip: earlier.tried(s), Step: so})
		if err != nil {
			return err
		}
		onInterrupt(cmd.Context(), nil)
		f.budget = max(f.budget-time.Since(start), time.Millisecond)
		if err := write(found); err != nil {
			return err
		}
	}
	return nil
}

// begin looks at the flags, and at the file to go on from; nil where there is none.
func (f *tuneFlags) begin() (*earlierTune, error) {
	switch {
	case f.size == "":
		return nil, wrongUse("say for which images: --size HxW")
	case f.output == "":
		return nil, wrongUse("say where the schedule goes: -o SCHEDULE.img, or -o - for standard output")
	case f.budget <= 0:
		return nil, wrongUse("--budget %s: some time, such as 60s", f.budget)
	case f.resume && f.output == "-":
		return nil, wrongUse("--resume goes on from a file; -o names none")
	case !f.resume:
		return nil, nil
	}
	text, err := os.ReadFile(f.output)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil // nothing to go on from yet
	case err != nil:
		return nil, badInput(plainFileError(f.output, err))
	}
	f.schedule = f.output
	return readEarlierTune(f.output, string(text))
}

// An earlierTune is a file that tune has written.
type earlierTune struct {
	device string
	blocks [][]string // the matches of tunedBlock
}

// foundOn begins such a file; tunedBlock is what it has of a pipeline: its name, the sizes, and how many schedules were tried.
const foundOn = "// Found by imgc tune on "

var tunedBlock = regexp.MustCompile(`(?ms)^// (\w+) at ([^\n]*): [^\n]*, ([0-9.e+-]+) ms before; (\d+) of \d+ schedules tried\nschedule [^\n]*\n.*?^}\n`)

func readEarlierTune(path, text string) (*earlierTune, error) {
	first, _, _ := strings.Cut(text, "\n")
	device, ok := strings.CutPrefix(strings.TrimSuffix(first, "."), foundOn)
	if !ok {
		return nil, wrongUse("--resume: %s was not written by imgc tune", path)
	}
	return &earlierTune{device, tunedBlock.FindAllStringSubmatch(text, -1)}, nil
}

// tried is how many schedules were tried for a call of these sizes.
func (e *earlierTune) tried(s specimen) int {
	if e == nil {
		return 0
	}
	for _, b := range e.blocks {
		if n, err := strconv.Atoi(b[4]); err == nil && b[1] == s.pipeline.Name && b[2] == s.sizeText() {
			return n
		}
	}
	return 0
}

// before is how long the schedule took that the first of all searches began with; 0 where there is none.
func (e *earlierTune) before(s specimen) time.Duration {
	if e == nil {
		return 0
	}
	for _, b := range e.blocks {
		if ms, err := strconv.ParseFloat(b[3], 64); err == nil && b[1] == s.pipeline.Name && b[2] == s.sizeText() {
			return time.Duration(ms * float64(time.Millisecond))
		}
	}
	return 0
}

// others is what was found for other pipelines than these.
func (e *earlierTune) others(tuned []specimen) string {
	text := ""
	if e == nil {
		return text
	}
	for _, b := range e.blocks {
		if !slices.ContainsFunc(tuned, func(s specimen) bool { return s.pipeline.Name == b[1] }) {
			text += "\n" + b[0]
		}
	}
	return text
}

// search tunes one pipeline.
func (f *tuneFlags) search(cmd *cobra.Command, program *imgc.Program, d *imgc.Device, s specimen, opts imgc.TuneOptions) (*imgc.Tuned, error) {
	args, err := s.args(cmd.Context(), program)
	if err != nil {
		return nil, err
	}
	progress := newProgress(cmd)
	defer progress.end()
	so := opts.Step
	opts.Step = func(step imgc.TuneStep) {
		so(step)
		progress.show(fmt.Sprintf("%s: %d of %d, best %.4g ms", s.pipeline.Name, step.Tried, step.All, milliseconds(step.Best)))
	}
	return program.Tune(cmd.Context(), d, s.pipeline.Name, args, opts)
}
