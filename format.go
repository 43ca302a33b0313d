package imgc

import (
	"imgc/diag"
	"imgc/parser"
	"imgc/source"
)

// Format returns a text in the canonical layout, comments kept. A text with syntax errors has no layout: then the diagnostics say
// what is wrong, and the text is returned as it is.
func Format(name, text string) (formatted string, diags *diag.List, err error) {
	defer guard(&err, "formatting %s", name)
	diags = &diag.List{}
	file := parser.Parse(source.NewFile(name, text), diags)
	if diags.HasErrors() {
		return text, diags, nil
	}
	return parser.Format(file), diags, nil
}
