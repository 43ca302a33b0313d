package diag

// syntaxEntries documents what the lexer and the parser report.
var syntaxEntries = []Entry{}
