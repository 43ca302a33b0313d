// Package archmodels holds what is known of devices: one YAML file for each, with the source of every figure, and families of
// devices whose figures several files share. It loads and checks such files, shipped ones and a user's own, prints them, and
// finds the one that fits a running device.
//
// A figure that nobody has found out is written as unknown. No model states a guess in its place: who needs it asks for it with
// what to do in its absence, or for the model with what is usual of its class (WithUsual), whose figures say that they are assumed.
//
// It knows nothing of programs, nor of how devices are driven.
package archmodels
