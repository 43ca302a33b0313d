// Package docs_test keeps the documentation true: it compiles and runs every example, carries out the commands that pages
// show, compiles their C, follows their links, and holds generated pages against what they are generated from.
//
//	go test ./docs            tests
//	go test ./docs -update    writes the generated pages, tables and pictures anew
package docs_test
