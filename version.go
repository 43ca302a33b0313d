package imgc

// version is that of the next release until it is made.
const version = "0.1.0"

// Version is the compiler's version, as generated projects name it.
func Version() string { return version }
