package diag

import (
	"encoding/json"
	"fmt"
	"io"

	"imgc/source"
)

// The JSON form is for tools and stays as it is; fields may be added. JSON writes an array, [] for an empty list, sorted as Text
// sorts, and last an object that says how many there were beyond MaxKept; of objects
//
//	severity  "error", "warning" or "info"
//	code      "IMG0203"; see `imgc explain`
//	message   one sentence
//	file      the name the file was given by; absent where there is no place
//	start     {"line": 7, "col": 17, "offset": 230}: line and column count from 1, columns in characters, offsets in bytes from 0
//	end       likewise, behind the last character
//	label     a word or two about the place; absent if there are none
//	notes     an array of {"message", "file", "start", "end"}, the last three absent where a note has no place
type (
	jsonDiagnostic struct {
		Severity string `json:"severity"`
		Code     Code   `json:"code"`
		Message  string `json:"message"`
		jsonPlace
		Label string     `json:"label,omitempty"`
		Notes []jsonNote `json:"notes"`
	}
	jsonNote struct {
		Message string `json:"message"`
		jsonPlace
	}
	jsonPlace struct {
		File  string        `json:"file,omitempty"`
		Start *jsonPosition `json:"start,omitempty"`
		End   *jsonPosition `json:"end,omitempty"`
	}
	jsonPosition struct {
		Line   int `json:"line"`
		Col    int `json:"col"`
		Offset int `json:"offset"`
	}
)

// JSON writes diagnostics for tools, in the form described above.
func JSON(w io.Writer, list *List) error {
	out := []jsonDiagnostic{}
	for _, d := range list.Sorted() {
		j := jsonDiagnostic{Severity: d.Severity.String(), Code: d.Code, Message: d.Message, jsonPlace: placeOf(d.Span),
			Label: d.Label, Notes: []jsonNote{}}
		for _, n := range d.Notes {
			j.Notes = append(j.Notes, jsonNote{n.Message, placeOf(n.Span)})
		}
		out = append(out, j)
	}
	if n := list.Dropped(); n > 0 {
		out = append(out, jsonDiagnostic{Severity: Info.String(), Message: fmt.Sprintf("and %d more that are not shown", n), Notes: []jsonNote{}})
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(out)
}

func placeOf(s source.Span) jsonPlace {
	if !s.IsValid() {
		return jsonPlace{}
	}
	return jsonPlace{s.File.Name, positionOf(s.File, s.Start), positionOf(s.File, max(s.Start, s.End))}
}

func positionOf(f *source.File, offset int) *jsonPosition {
	line, col := f.Position(offset)
	return &jsonPosition{line, col, offset}
}
