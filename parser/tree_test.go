package parser

import (
	"fmt"
	"reflect"
	"strings"

	"imgc/source"
	"imgc/syntax"
)

// dump writes a tree without its places, so that two texts can be compared by what they say.
func dump(f *syntax.File) string {
	var b strings.Builder
	for _, d := range f.Decls {
		dumpValue(&b, reflect.ValueOf(d), 0)
	}
	return b.String()
}

var (
	placeType = reflect.TypeOf(syntax.Place{})
	spanType  = reflect.TypeOf(source.Span{})
)

func dumpValue(b *strings.Builder, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			b.WriteString("-\n")
			return
		}
		dumpValue(b, v.Elem(), depth)
	case reflect.Slice:
		fmt.Fprintf(b, "%d:\n", v.Len())
		for i := range v.Len() {
			b.WriteString(strings.Repeat(" ", depth))
			dumpValue(b, v.Index(i), depth+1)
		}
	case reflect.Struct:
		b.WriteString(v.Type().Name() + "\n")
		for i := range v.NumField() {
			if t := v.Field(i).Type(); t == placeType || t == spanType {
				continue
			}
			fmt.Fprintf(b, "%s%s ", strings.Repeat(" ", depth+1), v.Type().Field(i).Name)
			dumpValue(b, v.Field(i), depth+2)
		}
	default:
		fmt.Fprintf(b, "%v\n", v)
	}
}
