/* tables.h: what the test programs know of any generated library, whatever it is for. */
#ifndef TABLES_H
#define TABLES_H

#include <stddef.h>
#include <stdint.h>

enum { most_params = 16, most_axes = 4, example_count = 2, scalar_bytes = 64 };

enum { reads = 1, writes = 2 };

/* A parameter of a pipeline, image or scalar. */
struct param {
    const char *name;
    int direction; /* reads, writes or both */
    int is_image;
    int rank, line_axis, component, lanes; /* of an image */
    int binds;                             /* a bit for each axis whose extent gives a size its value */
    int by_value;                          /* of a scalar */
    size_t bytes;
};

/* Arguments that fit and what a call then returns, packed. */
struct example {
    int64_t extent[most_params][most_axes];
    size_t bytes[most_params];
    const unsigned char *in[most_params], *want[most_params];
};

#endif
