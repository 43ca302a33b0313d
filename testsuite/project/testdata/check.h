/* check.h: what the test programs of generated libraries share. */
#ifndef CHECK_H
#define CHECK_H

#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int failures;

/* Reports a failed expectation and goes on. */
#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            failures++;                                                                                                \
            printf("%s:%d: %s: ", __FILE__, __LINE__, #condition);                                                     \
            printf(__VA_ARGS__);                                                                                       \
            printf("\n");                                                                                              \
        }                                                                                                              \
    } while (0)

/* The number of objects that the program has made and not yet released; see objects.c. */
struct objects {
    int buffers, kernels, programs, queues, events;
    int marks; /* that were enqueued so far */
};
extern struct objects objects;

/* A device and two contexts on it. */
struct place {
    cl_device_id device;
    cl_context context, other;
    cl_command_queue queue;
};

int open_place(struct place *p);
void close_place(struct place *p);

/* The images of a call of mix, each in memory of its own, with valid extents; height x width. */
enum { height = 5, width = 7, spare = 64 };

struct images {
    uint16_t a[height * width + spare], b[height * width + spare], dst[height * 2 * width * 3 + spare];
    int32_t acc[height * width + spare];
};

void fill(struct images *m);

/* What mix computes, on packed images. */
void expected(const struct images *before, int row, struct images *after);

#endif
