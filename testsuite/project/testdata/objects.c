/* objects.c: counts OpenCL objects and lets calls fail. The linker is told to send the library's calls here (--wrap). */
#include "check.h"

struct objects objects;
int calls_until_failure;
int failed_calls;

/* 1 where this call has to fail. */
static int fails(void) {
    if (calls_until_failure == 0 || --calls_until_failure > 0)
        return 0;
    failed_calls++;
    return 1;
}

#define REAL(type, name, parameters)                                                                                   \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters

#define FAIL_WITH(code)                                                                                                \
    if (fails()) {                                                                                                     \
        if (error != NULL)                                                                                             \
            *error = code;                                                                                             \
        return NULL;                                                                                                   \
    }

REAL(cl_mem, clCreateBuffer, (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *error)) {
    cl_mem made;
    FAIL_WITH(CL_MEM_OBJECT_ALLOCATION_FAILURE)
    made = __real_clCreateBuffer(context, flags, size, host, error);
    objects.buffers += made != NULL;
    return made;
}

REAL(cl_int, clReleaseMemObject, (cl_mem object)) {
    objects.buffers--;
    return __real_clReleaseMemObject(object);
}

REAL(cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *error)) {
    cl_kernel made;
    FAIL_WITH(CL_OUT_OF_HOST_MEMORY)
    made = __real_clCreateKernel(program, name, error);
    objects.kernels += made != NULL;
    return made;
}

REAL(cl_int, clReleaseKernel, (cl_kernel object)) {
    objects.kernels--;
    return __real_clReleaseKernel(object);
}

REAL(cl_program, clCreateProgramWithSource, (cl_context context, cl_uint count, const char **text, const size_t *lengths, cl_int *error)) {
    cl_program made;
    FAIL_WITH(CL_OUT_OF_HOST_MEMORY)
    made = __real_clCreateProgramWithSource(context, count, text, lengths, error);
    objects.programs += made != NULL;
    return made;
}

REAL(cl_int, clReleaseProgram, (cl_program object)) {
    objects.programs--;
    return __real_clReleaseProgram(object);
}

REAL(cl_int, clBuildProgram, (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                              void(CL_CALLBACK *notify)(cl_program, void *), void *data)) {
    return fails() ? CL_BUILD_PROGRAM_FAILURE : __real_clBuildProgram(program, count, devices, options, notify, data);
}

REAL(cl_command_queue, clCreateCommandQueue, (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *error)) {
    cl_command_queue made;
    FAIL_WITH(CL_OUT_OF_RESOURCES)
    made = __real_clCreateCommandQueue(context, device, properties, error);
    objects.queues += made != NULL;
    return made;
}

REAL(cl_int, clReleaseCommandQueue, (cl_command_queue object)) {
    objects.queues--;
    return __real_clReleaseCommandQueue(object);
}

REAL(cl_int, clEnqueueMarkerWithWaitList, (cl_command_queue queue, cl_uint count, const cl_event *wait, cl_event *event)) {
    cl_int code = fails() ? CL_OUT_OF_RESOURCES : __real_clEnqueueMarkerWithWaitList(queue, count, wait, event);
    objects.events += code == CL_SUCCESS && event != NULL;
    return code;
}

REAL(cl_int, clRetainEvent, (cl_event event)) {
    objects.events++;
    return __real_clRetainEvent(event);
}

REAL(cl_int, clReleaseEvent, (cl_event event)) {
    objects.events--;
    return __real_clReleaseEvent(event);
}

REAL(cl_int, clEnqueueBarrierWithWaitList, (cl_command_queue queue, cl_uint count, const cl_event *wait, cl_event *event)) {
    return fails() ? CL_OUT_OF_RESOURCES : __real_clEnqueueBarrierWithWaitList(queue, count, wait, event);
}

REAL(cl_int, clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value)) {
    return fails() ? CL_OUT_OF_RESOURCES : __real_clSetKernelArg(kernel, index, size, value);
}

REAL(cl_int, clEnqueueNDRangeKernel, (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
                                      const size_t *local, cl_uint count, const cl_event *wait, cl_event *event)) {
    return fails() ? CL_OUT_OF_RESOURCES
                   : __real_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, wait, event);
}

REAL(cl_int, clGetMemObjectInfo, (cl_mem object, cl_mem_info what, size_t size, void *value, size_t *length)) {
    return fails() ? CL_OUT_OF_HOST_MEMORY : __real_clGetMemObjectInfo(object, what, size, value, length);
}

REAL(cl_int, clGetCommandQueueInfo, (cl_command_queue queue, cl_command_queue_info what, size_t size, void *value, size_t *length)) {
    return fails() ? CL_OUT_OF_HOST_MEMORY : __real_clGetCommandQueueInfo(queue, what, size, value, length);
}

REAL(cl_int, clEnqueueWriteBufferRect, (cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *from, const size_t *to,
                                        const size_t *region, size_t row, size_t slice, size_t host_row, size_t host_slice,
                                        const void *data, cl_uint count, const cl_event *wait, cl_event *event)) {
    return fails() ? CL_OUT_OF_RESOURCES
                   : __real_clEnqueueWriteBufferRect(queue, buffer, blocking, from, to, region, row, slice, host_row, host_slice, data,
                                                     count, wait, event);
}

REAL(cl_int, clEnqueueReadBufferRect, (cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *from, const size_t *to,
                                       const size_t *region, size_t row, size_t slice, size_t host_row, size_t host_slice, void *data,
                                       cl_uint count, const cl_event *wait, cl_event *event)) {
    return fails() ? CL_OUT_OF_RESOURCES
                   : __real_clEnqueueReadBufferRect(queue, buffer, blocking, from, to, region, row, slice, host_row, host_slice, data,
                                                    count, wait, event);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
