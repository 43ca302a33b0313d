// Package grammar is the grammar of the img language: a scanner and the participle nodes whose tags are the productions. The
// grammar is strict LL(1): no production needs to see more than the next token. Texts are parsed by prediction from these tags
// (predict.go); participle, which reads the same tags, says what is wrong where that fails. EBNF prints them for the reference.
//
// Nodes keep the tokens that they were made of, so that every place in a text can be named exactly. The parser package
// converts them to the syntax tree at once; no later phase sees them. The package knows nothing of what a program means and
// nothing else of the project.
package grammar
