package imagefile

import "bytes"

// A camera stores pixels as its sensor reads them and says in a tag how they are to be turned. TIFF has that tag among its
// own; JPEG and PNG have it in Exif data, which is a TIFF without pixels.

// orientations says of each value of the tag what is done: rows become columns first, then columns, then rows go backwards.
var orientations = [9]struct{ transposed, mirrored, upsideDown bool }{
	2: {mirrored: true}, 3: {mirrored: true, upsideDown: true}, 4: {upsideDown: true},
	5: {transposed: true}, 6: {transposed: true, mirrored: true},
	7: {transposed: true, mirrored: true, upsideDown: true}, 8: {transposed: true, upsideDown: true},
}

// turned is the picture, or the array that begins with rows and columns, as the tag says that it is looked at.
func (s *stored) turned(orientation int) *stored {
	if orientation < 2 || orientation >= len(orientations) {
		return s
	}
	o := orientations[orientation]
	h, w := s.extent[0], s.extent[1]
	t := *s
	t.extent = append([]int{}, s.extent...)
	if o.transposed {
		t.extent[0], t.extent[1] = w, h
	}
	size := len(s.data) / (h * w)
	t.data = make([]byte, 0, len(s.data))
	for y := range t.extent[0] {
		for x := range t.extent[1] {
			fromY, fromX := y, x
			if o.upsideDown {
				fromY = t.extent[0] - 1 - y
			}
			if o.mirrored {
				fromX = t.extent[1] - 1 - x
			}
			if o.transposed {
				fromY, fromX = fromX, fromY
			}
			at := (fromY*w + fromX) * size
			t.data = append(t.data, s.data[at:at+size]...)
		}
	}
	return &t
}

// exifOrientation reads the tag out of Exif data; 1, "as it is", where there is none or it is damaged.
func exifOrientation(exif []byte) int {
	f, err := openTIFF(exif)
	if err != nil {
		return 1
	}
	d, _, err := f.dir(f.first)
	if err != nil {
		return 1
	}
	return d.one(tiffOrientation, 1)
}

// jpegOrientation looks for Exif data in the segments before the pixels.
func jpegOrientation(data []byte) int {
	const app1, startOfScan = 0xe1, 0xda
	for at := 2; at+4 <= len(data) && data[at] == 0xff && data[at+1] != startOfScan; {
		if data[at+1] == 0xff { // filling
			at++
			continue
		}
		n := int(data[at+2])<<8 | int(data[at+3])
		if n < 2 || at+2+n > len(data) {
			break
		}
		body := data[at+4 : at+2+n]
		if exif, ok := bytes.CutPrefix(body, []byte("Exif\x00\x00")); ok && data[at+1] == app1 {
			return exifOrientation(exif)
		}
		at += 2 + n
	}
	return 1
}

// pngOrientation looks for the chunk with Exif data.
func pngOrientation(data []byte) int {
	for at := 8; at+8 <= len(data); {
		n := int(data[at])<<24 | int(data[at+1])<<16 | int(data[at+2])<<8 | int(data[at+3])
		if n > len(data)-at-8 {
			break
		}
		if string(data[at+4:at+8]) == "eXIf" {
			return exifOrientation(data[at+8 : at+8+n])
		}
		at += 12 + n
	}
	return 1
}
