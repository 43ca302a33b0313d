// Package stores has a body store each pixel once. What a program assigns on both sides of a condition, or first and then again under one, is one
// store of what comes out, so that later phases see that every instance writes the pixel: it can be written by vectors, side by side with those of
// neighbours, and by a stage that is fused with its reader. Programs mean the same.
//
// It knows hast: neither kir nor devices.
package stores
