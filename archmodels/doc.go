// Package archmodels holds what is known of devices: one YAML file for each, with the source of every figure, and families of
// devices whose figures several files share. It loads and checks such files, shipped ones and a user's own, prints them, and
// finds the one that fits a running device.
//
// A figure that nobody has found out is written as unknown. It is never replaced by a guess here: who needs it asks for it with
// what to do in its absence, and can say so to the user.
//
// It knows nothing of programs, nor of how devices are driven.
package archmodels
