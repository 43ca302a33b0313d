// Package interptest runs programs for tests of the packages behind the interpreter, whose pixels say what a program means. It knows the interpreter, and testing; nothing but tests may know it.
package interptest
