/* objects.c: counts OpenCL objects. The linker is told to send the library's calls here (--wrap). */
#include "check.h"

struct objects objects;

#define REAL(type, name, parameters)                                                                                   \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters

REAL(cl_mem, clCreateBuffer, (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *error)) {
    cl_mem made;
    made = __real_clCreateBuffer(context, flags, size, host, error);
    objects.buffers += made != NULL;
    return made;
}

REAL(cl_mem, clCreateSubBuffer, (cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type, const void *info, cl_int *error)) {
    cl_mem made;
    made = __real_clCreateSubBuffer(whole, flags, type, info, error);
    objects.buffers += made != NULL;
    return made;
}

REAL(cl_int, clReleaseMemObject, (cl_mem object)) {
    objects.buffers--;
    return __real_clReleaseMemObject(object);
}

REAL(cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *error)) {
    cl_kernel made;
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
    made = __real_clCreateProgramWithSource(context, count, text, lengths, error);
    objects.programs += made != NULL;
    return made;
}

REAL(cl_int, clReleaseProgram, (cl_program object)) {
    objects.programs--;
    return __real_clReleaseProgram(object);
}

REAL(cl_command_queue, clCreateCommandQueue, (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *error)) {
    cl_command_queue made;
    made = __real_clCreateCommandQueue(context, device, properties, error);
    objects.queues += made != NULL;
    return made;
}

REAL(cl_int, clRetainCommandQueue, (cl_command_queue object)) {
    objects.queues++;
    return __real_clRetainCommandQueue(object);
}

REAL(cl_int, clReleaseCommandQueue, (cl_command_queue object)) {
    objects.queues--;
    return __real_clReleaseCommandQueue(object);
}

REAL(cl_int, clEnqueueMarkerWithWaitList, (cl_command_queue queue, cl_uint count, const cl_event *wait, cl_event *event)) {
    cl_int code = __real_clEnqueueMarkerWithWaitList(queue, count, wait, event);
    objects.events += code == CL_SUCCESS && event != NULL;
    objects.marks++;
    return code;
}

REAL(cl_int, clEnqueueNDRangeKernel, (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
                                      const size_t *local, cl_uint count, const cl_event *wait, cl_event *event)) {
    cl_int code = __real_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, wait, event);
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
