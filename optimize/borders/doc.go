// Package borders has coordinates that a program keeps inside of an image, by clamp or in other words, as coordinates under a border rule, and what it computes with pixels where they are inside
// as computed everywhere, with pixels under the rule constant. Programs mean the same, to the bit.
//
// It knows hast and the analysis of loops: neither kir nor devices.
package borders
