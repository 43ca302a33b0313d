/* runtime.h: a CUDA runtime without a device. Kernels that a host's compiler has built run on the host, and device memory is the
 * host's. What is enqueued waits until somebody has to wait for it, and then runs in the order that is hardest to bear: last come,
 * first served, as far as streams, events and graphs allow. Calls are counted and fail when they are told to. */
#ifndef CUDART_RUNTIME_H
#define CUDART_RUNTIME_H

#include <cuda_runtime_api.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { runtime_devices = 2 };

/* What has been made and not yet released. */
struct runtime_objects {
    int blocks, streams, events, graphs, executables, allocations;
};

struct runtime {
    struct runtime_objects objects;
    int home;              /* the device that is the current one to the caller */
    int capability;        /* the major one of all devices */
    int until;             /* the call so many from now fails; 0: none does */
    int for_good;          /* and all after it, as with a device that is lost */
    cudaError_t code;      /* what they return */
    int failed;            /* calls that failed and have to be noticed */
    int overlooked;        /* and releases and the like, which need not */
    const char *last;      /* the first one that failed */
    int without_code;      /* the library has no code for the devices */
    int captured;          /* operations that became nodes of graphs */
    int edges;             /* between them */
    int programmatic;      /* kernels in graphs that may start before the one they follow ends */
    int instantiated, updated, launched; /* graphs */
    int wrong;             /* calls that no program may make; each is told on standard error */
};

extern struct runtime runtime;

/* Makes the n-th call from now on fail. */
void runtime_fail(int n, int for_good, cudaError_t code);

/* The allocator of libraries: its calls fail, too. */
void *runtime_malloc(size_t size);
void *runtime_calloc(size_t number, size_t size);
void *runtime_realloc(void *block, size_t size);
void runtime_free(void *block);

#ifdef __cplusplus
}
#endif

#endif
