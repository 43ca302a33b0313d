/* shim.h: stands between a generated library and OpenCL, and the C library's allocator. A library that is compiled with
 * `-include shim.h -D SHIM_REDIRECT` calls shim.c, which counts what is made and released and lets calls fail. */
#ifndef SHIM_H
#define SHIM_H

#ifdef SHIM_REDIRECT
#define clBuildProgram shim_clBuildProgram
#define clCreateBuffer shim_clCreateBuffer
#define clCreateCommandQueue shim_clCreateCommandQueue
#define clCreateKernel shim_clCreateKernel
#define clCreateProgramWithSource shim_clCreateProgramWithSource
#define clCreateSubBuffer shim_clCreateSubBuffer
#define clEnqueueBarrierWithWaitList shim_clEnqueueBarrierWithWaitList
#define clEnqueueCopyBuffer shim_clEnqueueCopyBuffer
#define clEnqueueCopyBufferRect shim_clEnqueueCopyBufferRect
#define clEnqueueFillBuffer shim_clEnqueueFillBuffer
#define clEnqueueMarkerWithWaitList shim_clEnqueueMarkerWithWaitList
#define clEnqueueNDRangeKernel shim_clEnqueueNDRangeKernel
#define clEnqueueReadBuffer shim_clEnqueueReadBuffer
#define clEnqueueReadBufferRect shim_clEnqueueReadBufferRect
#define clEnqueueWriteBuffer shim_clEnqueueWriteBuffer
#define clEnqueueWriteBufferRect shim_clEnqueueWriteBufferRect
#define clFinish shim_clFinish
#define clFlush shim_clFlush
#define clGetCommandQueueInfo shim_clGetCommandQueueInfo
#define clGetDeviceInfo shim_clGetDeviceInfo
#define clGetEventInfo shim_clGetEventInfo
#define clGetMemObjectInfo shim_clGetMemObjectInfo
#define clGetProgramBuildInfo shim_clGetProgramBuildInfo
#define clReleaseCommandQueue shim_clReleaseCommandQueue
#define clReleaseEvent shim_clReleaseEvent
#define clReleaseKernel shim_clReleaseKernel
#define clReleaseMemObject shim_clReleaseMemObject
#define clReleaseProgram shim_clReleaseProgram
#define clRetainEvent shim_clRetainEvent
#define clRetainCommandQueue shim_clRetainCommandQueue
#define clSetKernelArg shim_clSetKernelArg
#define clWaitForEvents shim_clWaitForEvents
#define calloc shim_calloc
#define free shim_free
#define malloc shim_malloc
#define realloc shim_realloc
#endif

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <stddef.h>

/* What the library holds: made and retained less released. */
struct objects {
    int buffers, kernels, programs, queues, events, blocks;
};

struct shim {
    struct objects objects;
    int until;      /* the so manieth call from now on fails; 0: none */
    int for_good;   /* and all behind it */
    cl_int code;    /* with this error */
    int failed;     /* calls that failed and have to be noticed */
    int overlooked; /* calls that failed and need not be: releases, waits at the end, what is asked to write a message */
    const char *last;   /* the one that failed first */
    int keep;           /* see shim_keep_programs */
    cl_event dead;      /* is taken for one whose command has failed */
    const char *broken; /* is put in front of the kernels; NULL for nothing */
};

extern struct shim shim;

/* Lets the n-th call fail from now on; 0 lets none. */
void shim_fail(int n, int for_good, cl_int code);

/* From now on all libraries share one program, of one context, or none does any more. */
void shim_keep_programs(int keep);

void *shim_malloc(size_t size);
void *shim_calloc(size_t count, size_t size);
void *shim_realloc(void *block, size_t size);
void shim_free(void *block);

#endif
