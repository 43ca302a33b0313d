/* shim.c: OpenCL and allocation that fail when they are told to. */
#include "shim.h"

#include <stdlib.h>
#include <string.h>

struct shim shim;

void shim_fail(int n, int for_good, cl_int code) {
    shim.until = n;
    shim.for_good = for_good;
    shim.code = code;
    shim.failed = shim.overlooked = 0;
    shim.last = NULL;
}

/* 1 where this call has to fail. Only one thread runs while calls fail. */
static int fails(const char *name, int noticed) {
    if (shim.until == 0)
        return 0;
    if (shim.until > 1) {
        shim.until--;
        return 0;
    }
    if (!shim.for_good)
        shim.until = 0;
    if (shim.last == NULL)
        shim.last = name;
    if (noticed)
        shim.failed++;
    else
        shim.overlooked++;
    return 1;
}

static void count(int *counter, int by) { __atomic_add_fetch(counter, by, __ATOMIC_RELAXED); }

/* A call that does its work or fails. */
#define CALL(name, parameters, arguments)                                                                              \
    cl_int shim_##name parameters;                                                                                     \
    cl_int shim_##name parameters { return fails(#name, 1) ? shim.code : name arguments; }

/* A call whose failure need not be noticed; what it asks for happens all the same, so that memory may be used again. */
#define HINT(name, parameters, arguments)                                                                              \
    cl_int shim_##name parameters;                                                                                     \
    cl_int shim_##name parameters {                                                                                    \
        const cl_int code = name arguments;                                                                            \
        return fails(#name, 0) ? shim.code : code;                                                                     \
    }

/* The same for a release, which is counted. */
#define RELEASE(name, type, counter)                                                                                   \
    cl_int shim_##name(type object);                                                                                   \
    cl_int shim_##name(type object) {                                                                                  \
        const cl_int code = name(object);                                                                              \
        if (code == CL_SUCCESS)                                                                                        \
            count(&shim.objects.counter, -1);                                                                          \
        return fails(#name, 0) ? shim.code : code;                                                                     \
    }

/* A call that makes an object, whose last parameter is `error`. */
#define MAKE(type, name, parameters, arguments, counter)                                                               \
    type shim_##name parameters;                                                                                       \
    type shim_##name parameters {                                                                                      \
        type made;                                                                                                     \
        if (fails(#name, 1)) {                                                                                         \
            if (error != NULL)                                                                                         \
                *error = shim.code;                                                                                    \
            return NULL;                                                                                               \
        }                                                                                                              \
        made = name arguments;                                                                                         \
        if (made != NULL)                                                                                              \
            count(&shim.objects.counter, 1);                                                                           \
        return made;                                                                                                   \
    }

MAKE(cl_mem, clCreateBuffer, (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *error),
     (context, flags, size, host, error), buffers)
MAKE(cl_mem, clCreateSubBuffer, (cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type, const void *region, cl_int *error),
     (whole, flags, type, region, error), buffers)
MAKE(cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *error), (program, name, error), kernels)
MAKE(cl_command_queue, clCreateCommandQueue,
     (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *error),
     (context, device, properties, error), queues)

/* The program that every library gets which is made while programs are kept: building one takes longer than all else together. */
static cl_program kept;
static int kept_is_built;

void shim_keep_programs(int keep) {
    if (!keep && kept != NULL)
        clReleaseProgram(kept);
    if (!keep)
        kept = NULL;
    kept_is_built = 0;
    shim.keep = keep;
}

/* The kernels with something in front of them. */
static cl_program broken_program(cl_context context, cl_uint lines, const char **text, cl_int *error) {
    cl_program made;
    const char **all = malloc((lines + 1) * sizeof *all);
    if (all == NULL)
        abort();
    all[0] = shim.broken;
    memcpy(all + 1, text, lines * sizeof *all);
    made = clCreateProgramWithSource(context, lines + 1, all, NULL, error);
    free(all);
    return made;
}

cl_program shim_clCreateProgramWithSource(cl_context context, cl_uint lines, const char **text, const size_t *lengths, cl_int *error);
cl_program shim_clCreateProgramWithSource(cl_context context, cl_uint lines, const char **text, const size_t *lengths, cl_int *error) {
    cl_program made = shim.keep ? kept : NULL;
    if (fails("clCreateProgramWithSource", 1)) {
        if (error != NULL)
            *error = shim.code;
        return NULL;
    }
    if (shim.broken != NULL)
        made = broken_program(context, lines, text, error);
    else if (made == NULL)
        made = clCreateProgramWithSource(context, lines, text, lengths, error);
    if (made != NULL && shim.keep) {
        kept = made;
        clRetainProgram(made);
    }
    if (made != NULL)
        count(&shim.objects.programs, 1);
    return made;
}

cl_int shim_clBuildProgram(cl_program program, cl_uint number, const cl_device_id *devices, const char *options,
                           void(CL_CALLBACK *notify)(cl_program, void *), void *data);
cl_int shim_clBuildProgram(cl_program program, cl_uint number, const cl_device_id *devices, const char *options,
                           void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
    cl_int code;
    if (fails("clBuildProgram", 1))
        return shim.code;
    if (program == kept && kept_is_built)
        return CL_SUCCESS;
    code = clBuildProgram(program, number, devices, options, notify, data);
    if (program == kept)
        kept_is_built = code == CL_SUCCESS;
    return code;
}

RELEASE(clReleaseMemObject, cl_mem, buffers)
RELEASE(clReleaseKernel, cl_kernel, kernels)
RELEASE(clReleaseProgram, cl_program, programs)
RELEASE(clReleaseCommandQueue, cl_command_queue, queues)
RELEASE(clReleaseEvent, cl_event, events)

#define RETAIN(function, type, kind)                       \
    cl_int shim_##function(type object);                   \
    cl_int shim_##function(type object) {                  \
        cl_int code;                                       \
        if (fails(#function, 1))                           \
            return shim.code;                              \
        code = function(object);                           \
        if (code == CL_SUCCESS)                            \
            count(&shim.objects.kind, 1);                  \
        return code;                                       \
    }

RETAIN(clRetainEvent, cl_event, events)
RETAIN(clRetainCommandQueue, cl_command_queue, queues)

/* A command with an event behind its other parameters. */
static cl_int counted(cl_int code, const cl_event *event) {
    if (code == CL_SUCCESS && event != NULL)
        count(&shim.objects.events, 1);
    return code;
}

#define COMMAND(name, parameters, arguments)                                                                           \
    cl_int shim_##name parameters;                                                                                     \
    cl_int shim_##name parameters { return fails(#name, 1) ? shim.code : counted(name arguments, event); }

/* 1 where a list has the event that is taken for failed. */
static int has_dead(cl_uint number, const cl_event *wait) {
    for (cl_uint i = 0; shim.dead != NULL && i < number; i++)
        if (wait[i] == shim.dead)
            return 1;
    return 0;
}

#define WAITING cl_uint number, const cl_event *wait, cl_event *event

COMMAND(clEnqueueMarkerWithWaitList, (cl_command_queue queue, WAITING), (queue, number, wait, event))
cl_int shim_clEnqueueBarrierWithWaitList(cl_command_queue queue, WAITING);
cl_int shim_clEnqueueBarrierWithWaitList(cl_command_queue queue, WAITING) {
    if (fails("clEnqueueBarrierWithWaitList", 1))
        return shim.code;
    if (has_dead(number, wait))
        return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    return counted(clEnqueueBarrierWithWaitList(queue, number, wait, event), event);
}

COMMAND(clEnqueueFillBuffer,
        (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t length, size_t offset, size_t size, WAITING),
        (queue, buffer, pattern, length, offset, size, number, wait, event))
COMMAND(clEnqueueCopyBuffer, (cl_command_queue queue, cl_mem from, cl_mem to, size_t at, size_t where, size_t size, WAITING),
        (queue, from, to, at, where, size, number, wait, event))
COMMAND(clEnqueueCopyBufferRect,
        (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *at, const size_t *where, const size_t *region, size_t row,
         size_t slice, size_t there_row, size_t there_slice, WAITING),
        (queue, from, to, at, where, region, row, slice, there_row, there_slice, number, wait, event))
COMMAND(clEnqueueReadBuffer,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void *data, WAITING),
        (queue, buffer, blocking, offset, size, data, number, wait, event))
COMMAND(clEnqueueWriteBuffer,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, const void *data, WAITING),
        (queue, buffer, blocking, offset, size, data, number, wait, event))
COMMAND(clEnqueueReadBufferRect,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *from, const size_t *to, const size_t *region, size_t row,
         size_t slice, size_t host_row, size_t host_slice, void *data, WAITING),
        (queue, buffer, blocking, from, to, region, row, slice, host_row, host_slice, data, number, wait, event))
COMMAND(clEnqueueWriteBufferRect,
        (cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *from, const size_t *to, const size_t *region, size_t row,
         size_t slice, size_t host_row, size_t host_slice, const void *data, WAITING),
        (queue, buffer, blocking, from, to, region, row, slice, host_row, host_slice, data, number, wait, event))
COMMAND(clEnqueueNDRangeKernel,
        (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global, const size_t *local,
         WAITING),
        (queue, kernel, dimensions, offset, global, local, number, wait, event))

CALL(clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value), (kernel, index, size, value))
CALL(clGetMemObjectInfo, (cl_mem object, cl_mem_info what, size_t size, void *value, size_t *length), (object, what, size, value, length))
CALL(clGetCommandQueueInfo, (cl_command_queue queue, cl_command_queue_info what, size_t size, void *value, size_t *length),
     (queue, what, size, value, length))
/* What vendors add may be asked in vain. */
cl_int shim_clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *length);
cl_int shim_clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *length) {
    return fails("clGetDeviceInfo", what < 0x4000) ? shim.code : clGetDeviceInfo(device, what, size, value, length);
}

cl_int shim_clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *value, size_t *length);
cl_int shim_clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *value, size_t *length) {
    if (fails("clGetEventInfo", 0))
        return shim.code;
    if (event == shim.dead && what == CL_EVENT_COMMAND_EXECUTION_STATUS && size == sizeof(cl_int)) {
        *(cl_int *)value = CL_OUT_OF_RESOURCES;
        return CL_SUCCESS;
    }
    return clGetEventInfo(event, what, size, value, length);
}

HINT(clGetProgramBuildInfo,
     (cl_program program, cl_device_id device, cl_program_build_info what, size_t size, void *value, size_t *length),
     (program, device, what, size, value, length))
HINT(clFinish, (cl_command_queue queue), (queue))
HINT(clFlush, (cl_command_queue queue), (queue))
HINT(clWaitForEvents, (cl_uint number, const cl_event *events), (number, events))

static void *got(void *block) {
    if (block != NULL)
        count(&shim.objects.blocks, 1);
    return block;
}

void *shim_malloc(size_t size) { return fails("malloc", 1) ? NULL : got(malloc(size)); }

void *shim_calloc(size_t number, size_t size) { return fails("calloc", 1) ? NULL : got(calloc(number, size)); }

void *shim_realloc(void *block, size_t size) {
    if (fails("realloc", 1))
        return NULL;
    return block == NULL ? got(realloc(NULL, size)) : realloc(block, size);
}

void shim_free(void *block) {
    if (block != NULL)
        count(&shim.objects.blocks, -1);
    free(block);
}
