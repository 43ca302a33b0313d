// Package pixels holds an image in memory as the host sees it: element type, extents and packed bytes. The interpreter, the
// devices, the file formats and the tests exchange images in this form.
//
// It knows types only: not how a program names an image, nor where its bytes come from.
package pixels
