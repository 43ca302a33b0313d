// Package imagefile reads and writes images as files: PNG, JPEG, TIFF, BMP, the formats of Netpbm, PFM, NPY and raw bytes, the format
// chosen by the extension. It matches what a file holds to the type of a pipeline's parameter and says, where they do not
// fit, what would.
//
// Samples are taken as the file stores them: an 8-bit file read for an f32 parameter gives 0 to 255, a 16-bit file 0 to
// 65535, one of 12 bits 0 to 4095; PGM's maximum, PFM's scale and a TIFF in which white is zero change nothing. Only samples of
// fewer than 8 bits are stretched to 0 to 255. Colour profiles and gamma are left alone. A picture is turned as its orientation
// tag says. The pages of a TIFF, and five samples and more for a pixel, are an array's first and last extent. Colours that are multiplied by alpha
// are refused.
//
// What a picture (all formats but NPY and raw) gives to a parameter:
//
//	picture            parameter                           how
//	grey               T[H][W]                             as it is
//	RGB, RGBA          Tx3[H][W], Tx4[H][W]                as it is
//	                   T[H][W][3], T[3][H][W], 4 likewise  as it is, interleaved or planar
//	grey               3 or 4 channels                     the grey value in each of the three colours
//	grey, RGB          4 channels                          alpha is the type's largest value, of floats 1
//	RGBA, grey+alpha   3 channels, 1 channel               only where alpha is opaque everywhere
//	T is u8 or u16     a float that holds all of T         the same values
//
// NPY and raw files hold arrays of any type with one to four extents. A vector's lanes are a last extent: u8x3[H][W] is
// stored as u8[H][W][3], and read back as either. Their extents and their type must be the parameter's (a float file fits a
// wider float, an integer file a float that holds all its values). NPY has no type for bf16: it is stored as '<V2', as
// the ml_dtypes library does.
//
// A file is trusted in nothing: sizes are compared with the bytes that are there before memory is taken. It is written
// under another name beside its place and renamed when it is complete.
//
// The package knows types and pixels, not pipelines: a Want is all that it hears of a parameter.
package imagefile
