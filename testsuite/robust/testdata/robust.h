/* robust.h: what the test programs know of a generated library. The tests write program.c for each library, which fills the tables
 * in; everything else is the same for all of them. */
#ifndef ROBUST_H
#define ROBUST_H

#include "shim.h"
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* These have the layout of the library's own structures. */
struct image {
    void *data;
    int64_t extent[most_axes];
    int64_t pitch;
};

struct buffer {
    cl_mem memory;
    int64_t offset;
    int64_t extent[most_axes];
    int64_t pitch;
};

struct pipeline {
    const char *name;
    int params;
    struct param param[most_params];
    struct example example[example_count];
    int exact; /* every device gives the wanted bits; else the first results count */
    /* at: for each parameter the pointer that is passed, or that to the value */
    int (*run)(void *self, void *const *at);
    int (*enqueue)(void *self, cl_command_queue queue, void *const *at, cl_uint count, const cl_event *wait, cl_event *done);
};

enum status { OK, NULL_POINTER, EXTENT, PITCH, OVERLAP, SIZE, CONDITION, QUEUE, BUFFER, WORKSPACE, MEMORY, DEVICE_MEMORY, BUILD,
              DEVICE, OPENCL };

struct subject {
    const char *name;
    int pipelines;
    const struct pipeline *pipeline;
    int (*create_log)(cl_context context, cl_device_id device, void **out, char *message, size_t size);
    void (*destroy)(void *self);
    const char *(*status)(int status);
    const char *(*last_error)(const void *self);
};

extern const struct subject subject;

/* A device, two contexts on it and queues. */
struct place {
    cl_device_id device;
    cl_context context, other;
    cl_command_queue queue, foreign;
};

extern struct place place;
extern int failures;
extern int thorough; /* try everything rather than a share of it */

/* Reports a failed expectation and goes on. */
#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);                                                        \
            printf("%s:%d: %s: ", __FILE__, __LINE__, #condition);                                                     \
            printf(__VA_ARGS__);                                                                                       \
            printf("\n");                                                                                              \
            fflush(stdout);                                                                                            \
        }                                                                                                              \
    } while (0)

/* ---- calls.c ---- */

/* The arguments of a call, with memory of their own of exactly the size that they need. A test may spoil any of them. */
struct call {
    const struct pipeline *of;
    const struct example *example;
    int on_device; /* the images are buffers */
    struct image image[most_params];
    struct buffer buffer[most_params];
    unsigned char scalar[most_params][scalar_bytes];
    void *at[most_params];
    void *data[most_params]; /* what belongs to the call */
    cl_mem memory[most_params];
    int64_t padding; /* bytes behind each line */
};

/* Arguments that fit. gap: components between the lines of each image. */
void prepare(struct call *x, const struct pipeline *of, int example, int on_device, int gap, const struct place *p);
void dispose(struct call *x);

int run_call(const struct call *x, void *self);                                           /* in host memory */
int enqueue_call(const struct call *x, void *self, cl_command_queue queue, cl_event *done); /* in device memory */
int perform(const struct call *x, void *self, const struct place *p);                     /* either, and waits for the end */

int has_result(const struct call *x, const struct place *p);   /* all outputs are what is wanted, all else is as it was */
int is_untouched(const struct call *x, const struct place *p); /* everything is as it was */

void *create(const struct place *p);

/* Runs both examples in both ways: the library works. */
void works(void *self, const struct pipeline *of, const struct place *p, const char *when);

/* What is wanted of pipelines that are not exact. */
void settle_wanted(void);

/* ---- the parts ---- */

void test_wrong_calls(void);
void test_failing_calls(void);
void test_lost_device(void);
void test_failed_work(void);
void test_builds(void);
void test_threads(void);

#endif
