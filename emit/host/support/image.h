/* image.h: reads and writes the image files of the demo: PGM and PPM (8 and 16 bit), PFM (32-bit float) and NPY (any type). */
#ifndef DEMO_IMAGE_H
#define DEMO_IMAGE_H

#include <stdint.h>

/* An image and what is wanted of a file for it. The components of a pixel are the last extent where channels is not 1. */
struct picture {
    const char *name;  /* of the parameter, for messages */
    const char *descr; /* component type as NPY spells it: "|u1", "<u2", "<f4" */
    int component;     /* bytes of a component */
    int rank;          /* extents of the image, without the channels */
    int channels;
    int64_t extent[4];
    unsigned char *data; /* packed; allocated with malloc */
};

/* Both return 0, or print what is wrong and return 1. Reading sets extent and data; a fixed extent may be given as a number,
 * any extent as 0. */
int picture_read(struct picture *p, const char *path);
int picture_write(const struct picture *p, const char *path);

/* Allocates zeros for the extents; 0, or 1 after a message. */
int picture_allocate(struct picture *p);

int64_t picture_bytes(const struct picture *p);

#endif
