// Package sematest gives tests of the packages behind sema programs from text. It knows how a text becomes a typed program, and testing; nothing but
// tests may know it.
package sematest
