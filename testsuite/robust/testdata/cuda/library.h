/* library.h: what the test program knows of a generated CUDA library. The tests write program.c for each. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "runtime.h"
#include "tables.h"

/* This has the layout of the library's own images, in host and in device memory. */
struct image {
    void *data;
    int64_t extent[most_axes];
    int64_t pitch;
};

struct pipeline {
    const char *name;
    int params;
    struct param param[most_params];
    struct example example[example_count];
    int exact; /* every device gives the wanted bits */
    /* at: for each parameter the pointer that is passed, or that to the value */
    int (*run)(void *self, void *const *at);
    int (*enqueue)(void *self, cudaStream_t stream, void *const *at);
    int (*graph)(void *self, cudaStream_t stream, void *const *at); /* NULL where there is none */
};

enum status { OK, NULL_POINTER, EXTENT, PITCH, OVERLAP, SIZE, CONDITION, BUFFER, WORKSPACE, MEMORY, DEVICE_MEMORY, BUILD, DEVICE, CUDA };

struct subject {
    const char *name;
    int pipelines;
    const struct pipeline *pipeline;
    int (*create_log)(int device, void **out, char *message, size_t size);
    void (*destroy)(void *self);
    const char *(*status)(int status);
    const char *(*last_error)(const void *self);
};

extern const struct subject subject;

#endif
