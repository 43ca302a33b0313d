package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"imgc"
)

// A runReport is what a run prints; as JSON it has these fields, and more may be added.
type runReport struct {
	Device   string         `json:"device"`
	Pipeline string         `json:"pipeline"`
	Scalars  map[string]any `json:"scalars"`
	Images   []imageReport  `json:"images"`
	Time     *timeReport    `json:"time,omitempty"`

	device *imgc.Device
	plan   *runPlan
}

type imageReport struct {
	Name string `json:"name"`
	Type string `json:"type"` // u8x3[480][640]
	Path string `json:"path"`
}

type timeReport struct {
	Runs    int     `json:"runs"`
	Median  float64 `json:"median_ms"`
	Minimum float64 `json:"minimum_ms"`
}

func (r *runReport) time(t imgc.Times) {
	r.Time = &timeReport{t.Runs, milliseconds(t.Median), milliseconds(t.Minimum)}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (r *runReport) print(w io.Writer, asJSON bool, results imgc.Results) error {
	if asJSON {
		return failedOrNil(r.printJSON(w, results))
	}
	var b strings.Builder
	for _, p := range r.plan.pipeline.Params {
		if v, ok := results.Scalars[p.Name]; ok {
			fmt.Fprintf(&b, "%s = %s\n", p.Name, formatValue(v))
		}
	}
	if t := r.Time; t != nil {
		of := "kernels alone"
		if r.device.IsReference() {
			of = "of the interpreter"
		}
		fmt.Fprintf(&b, "%s, %s: median %.4g ms, minimum %.4g ms\n", plural(t.Runs, "run"), of, t.Median, t.Minimum)
	}
	_, err := io.WriteString(w, b.String())
	return failedOrNil(err)
}

func (r *runReport) printJSON(w io.Writer, results imgc.Results) error {
	r.Scalars = map[string]any{}
	for name, v := range results.Scalars {
		r.Scalars[name] = jsonValue(v)
	}
	r.Images = []imageReport{}
	for _, o := range r.plan.outputs {
		r.Images = append(r.Images, imageReport{o.param.Name, results.Images[o.param.Name].String(), o.to.path})
	}
	return printJSON(w, r)
}
