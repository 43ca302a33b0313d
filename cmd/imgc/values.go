package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"imgc/types"
)

// parseValue reads a scalar, or the lanes of a vector as 1,2,3 or (1, 2, 3). The error says what the type takes.
func parseValue(t types.Type, s string) (types.Value, error) {
	lanes := s
	if open, ok := strings.CutPrefix(s, "("); ok && !t.IsScalar() {
		lanes = strings.TrimSuffix(open, ")")
	}
	parts := strings.Split(lanes, ",")
	if len(parts) != t.Words() {
		if t.IsScalar() {
			return types.Value{}, fmt.Errorf("%q is no %s: one value is wanted", s, t)
		}
		return types.Value{}, fmt.Errorf("%q is no %s: %d values with commas between them are wanted", s, t, t.Words())
	}
	v := types.Value{Type: t}
	for _, p := range parts {
		w, err := parseWord(t.Kind, strings.TrimSpace(p))
		if err != nil {
			return types.Value{}, err
		}
		v.Words = append(v.Words, w)
	}
	return v, nil
}

func parseWord(k types.Kind, s string) (types.Word, error) {
	switch {
	case k == types.Bool:
		return parseBool(s)
	case k.IsFloat():
		return parseFloat(k, s)
	case k.IsSigned():
		n, err := strconv.ParseInt(s, 0, k.Bits())
		return types.Int(n), integerError(k, s, err)
	}
	n, err := strconv.ParseUint(s, 0, k.Bits())
	return types.Uint(n), integerError(k, s, err)
}

func parseBool(s string) (types.Word, error) {
	switch s {
	case "true", "1":
		return types.Truth(true), nil
	case "false", "0":
		return types.Truth(false), nil
	}
	return 0, fmt.Errorf("%q is no bool: true or false", s)
}

// parseFloat reads a number, inf or nan. A number that the kind does not hold is rounded, unless it would become infinite.
func parseFloat(k types.Kind, s string) (types.Word, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is no number", s)
	}
	rounded := types.Round(k, v)
	if err != nil || math.IsInf(rounded, 0) && !math.IsInf(v, 0) {
		return 0, fmt.Errorf("%s is too large for %s", s, k)
	}
	return types.Float(rounded), nil
}

func integerError(k types.Kind, s string, err error) error {
	if err == nil {
		return nil
	}
	low, high := fmt.Sprint(types.Lowest(k).Int()), fmt.Sprint(types.Highest(k).Int())
	if k.IsUnsigned() {
		low, high = "0", fmt.Sprint(types.Highest(k).Uint())
	}
	return fmt.Errorf("%q is no %s: an integer from %s to %s", s, k, low, high)
}

// formatValue is a value as the language and --set write it; a vector has commas between its lanes.
func formatValue(v types.Value) string {
	parts := make([]string, len(v.Words))
	for i, w := range v.Words {
		parts[i] = formatWord(v.Type.Kind, w)
	}
	return strings.Join(parts, ",")
}

func formatWord(k types.Kind, w types.Word) string {
	switch {
	case k == types.Bool:
		return strconv.FormatBool(w.Truth())
	case k.IsFloat():
		return formatFloat(k, w.Float())
	case k.IsSigned():
		return strconv.FormatInt(w.Int(), 10)
	}
	return strconv.FormatUint(w.Uint(), 10)
}

// formatFloat has as many digits as tell the value from its neighbours of kind k.
func formatFloat(k types.Kind, v float64) string {
	bits := 64
	if k != types.F64 {
		bits = 32 // exact for the kinds of 16 bits, too
	}
	return strings.ToLower(strconv.FormatFloat(v, 'g', -1, bits))
}

// jsonValue is a value for encoding/json: numbers and bools, and strings for what JSON has no number for.
func jsonValue(v types.Value) any {
	lanes := make([]any, len(v.Words))
	for i, w := range v.Words {
		switch f := w.Float(); {
		case v.Type.Kind == types.Bool:
			lanes[i] = w.Truth()
		case v.Type.Kind.IsFloat() && (math.IsNaN(f) || math.IsInf(f, 0)):
			lanes[i] = formatWord(v.Type.Kind, w)
		default:
			lanes[i] = jsonNumber(formatWord(v.Type.Kind, w))
		}
	}
	if len(lanes) == 1 {
		return lanes[0]
	}
	return lanes
}

// A jsonNumber is printed as it stands.
type jsonNumber string

func (n jsonNumber) MarshalJSON() ([]byte, error) { return []byte(n), nil }
