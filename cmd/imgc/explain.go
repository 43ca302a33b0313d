package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"imgc"
)

type explainFlags struct {
	programFlags
	sizeFlags
	target string
	asJSON bool
}

func newExplain() *cobra.Command {
	f := &explainFlags{}
	cmd := &cobra.Command{
		Use:   "explain FILE --arch NAME",
		Short: "Show the schedule that a program gets on a device, and why",
		Long: `explain prints the schedule that is chosen for each pipeline on a device: above each line what
the stage does, why it is carried out like this, the predicted time with its terms, and what
was rejected. The text is a schedule that imgc run and imgc build take back.

--arch names an architecture model (imgc archs lists them) or a file with one. Predictions
are for images of --size HxW, 4096x4096 without it.`,
		Example: `  imgc explain blur.img --arch nvidia-h200
  imgc explain blur.img --arch my-gpu.yaml --size 1080x1920`,
		Args:              exactlyOneProgram,
		ValidArgsFunction: programFiles,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.explain(cmd, args[0]) },
	}
	f.add(cmd)
	f.addMode(cmd)
	f.addArch(cmd)
	f.addSizes(cmd)
	cmd.Flags().StringVar(&f.target, "target", string(imgc.TargetOpenCL), "what the kernels are written in: opencl or cuda")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print an array of objects, for tools")
	complete(cmd, "target", "opencl", "cuda")
	return cmd
}

func (f *explainFlags) explain(cmd *cobra.Command, path string) error {
	if f.arch == "" {
		return wrongUse("say for which device: --arch NAME, see imgc archs")
	}
	targets, err := parseTargets(f.target)
	if err != nil {
		return err
	}
	if len(targets) != 1 {
		return wrongUse("--target %s: a plan is for one target", f.target)
	}
	arch, err := openArch(f.arch)
	if err != nil {
		return err
	}
	program, err := f.load(cmd, path, nil)
	if err != nil {
		return err
	}
	sizes, err := f.sizes(program)
	if err != nil {
		return err
	}
	plans, err := program.ExplainFor(targets[0], arch, sizes)
	if err != nil {
		return err
	}
	if f.asJSON {
		return failedOrNil(printJSON(cmd.OutOrStdout(), plansJSON(plans)))
	}
	var b strings.Builder
	for i, p := range plans {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.Text())
	}
	_, err = io.WriteString(cmd.OutOrStdout(), b.String())
	return failedOrNil(err)
}

// A planJSON is a plan for tools; fields may be added.
type planJSON struct {
	Pipeline string      `json:"pipeline"`
	Device   string      `json:"device"`
	Stages   []stageJSON `json:"stages"`
}

type stageJSON struct {
	Stage     string          `json:"stage"`
	Fused     []string        `json:"fused,omitempty"` // with it
	Features  string          `json:"features"`
	Decisions string          `json:"decisions"`
	Why       string          `json:"why"`
	Seconds   float64         `json:"predicted_seconds"`
	Rejected  []candidateJSON `json:"rejected,omitempty"`
}

type candidateJSON struct {
	Decisions string  `json:"decisions"`
	Seconds   float64 `json:"predicted_seconds"`
	Illegal   string  `json:"illegal,omitempty"`
}

func plansJSON(plans []*imgc.Plan) []planJSON {
	var out []planJSON
	for _, p := range plans {
		j := planJSON{Pipeline: p.Pipeline.Name, Device: p.Device}
		for _, c := range p.Choices {
			s := stageJSON{
				Stage: c.Stage.Of.Name, Features: c.Stage.Text(), Decisions: c.Picked.Decisions.String(), Why: c.Picked.Why, Seconds: c.Picked.Cost.Total(),
			}
			for _, part := range c.Stage.Parts {
				s.Fused = append(s.Fused, part.Of.Name)
			}
			for _, r := range c.Rejected {
				s.Rejected = append(s.Rejected, candidateJSON{r.Decisions.String(), r.Cost.Total(), r.Illegal})
			}
			j.Stages = append(j.Stages, s)
		}
		out = append(out, j)
	}
	return out
}
