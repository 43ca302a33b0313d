package diag

// semaEntries documents what the checker reports: names, types, extents, borders, proofs.
var semaEntries = []Entry{}
