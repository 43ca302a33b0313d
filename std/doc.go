// Package std holds the library inside the compiler: the files that programs import as "std/...". They are programs of the
// language like any other; docs/std.md describes them. The package knows nothing but their texts.
package std
