/* Times the kernels of an OpenCL program one by one, by events of a profiling queue: for LD_PRELOAD, before a demo program or check.py.
 *
 *     gcc -shared -fPIC -O1 testsuite/gpu/events.c -o events.so -ldl
 *     EVENTS=/tmp/events LD_PRELOAD=$PWD/events.so many DEMO ARGUMENT...
 *
 * At the end of a process $EVENTS.PID has a line for each kernel and number of work-items: how often it ran, the median and the least time, and
 * the median of the gap before it, in microseconds. Profiling itself takes some microseconds for each kernel. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct launch {
    char kernel[120];
    size_t items;
    cl_event event;
    double time, gap;
    int counted;
};

static struct launch *launches;
static size_t count, room;

static void *of_driver(const char *name) {
    static void *library;
    if (library == NULL)
        library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL);
    return dlsym(library, name);
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(void) {
    cl_int (*const profile)(cl_event, cl_profiling_info, size_t, void *, size_t *) = of_driver("clGetEventProfilingInfo");
    cl_ulong before = 0;
    for (size_t i = 0; i < count; i++) {
        cl_ulong start = 0, end = 0;
        profile(launches[i].event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
        profile(launches[i].event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
        launches[i].time = (double)(end - start) / 1e3;
        launches[i].gap = before != 0 && start > before ? (double)(start - before) / 1e3 : 0;
        before = end;
    }
}

static void report(void) {
    char path[4096];
    double *const times = malloc(count * sizeof *times), *const gaps = malloc(count * sizeof *gaps);
    snprintf(path, sizeof path, "%s.%d", getenv("EVENTS") != NULL ? getenv("EVENTS") : "/tmp/events", (int)getpid());
    FILE *const out = count > 0 && times != NULL && gaps != NULL ? fopen(path, "w") : NULL;
    if (out == NULL)
        return;
    measure();
    for (size_t i = 0; i < count; i++) {
        size_t n = 0;
        for (size_t j = i; j < count; j++) {
            if (launches[j].counted || launches[j].items != launches[i].items || strcmp(launches[j].kernel, launches[i].kernel) != 0)
                continue;
            launches[j].counted = 1;
            times[n] = launches[j].time;
            gaps[n++] = launches[j].gap;
        }
        if (n == 0)
            continue;
        qsort(times, n, sizeof *times, ascending);
        qsort(gaps, n, sizeof *gaps, ascending);
        fprintf(out, "%-44s %10zu items %5zu times, median %9.2f least %9.2f gap %6.2f\n", launches[i].kernel, launches[i].items, n, times[n / 2], times[0],
            gaps[n / 2]);
    }
    fclose(out);
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *code) {
    cl_command_queue (*const create)(cl_context, cl_device_id, cl_command_queue_properties, cl_int *) = of_driver("clCreateCommandQueue");
    static int told;
    if (!told++)
        atexit(report);
    return create(context, device, properties | CL_QUEUE_PROFILING_ENABLE, code);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *items, const size_t *group,
                              cl_uint waits, const cl_event *waited, cl_event *event) {
    cl_int (*const launch)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, const cl_event *, cl_event *) =
        of_driver("clEnqueueNDRangeKernel");
    cl_int (*const name)(cl_kernel, cl_kernel_info, size_t, void *, size_t *) = of_driver("clGetKernelInfo");
    cl_int (*const retain)(cl_event) = of_driver("clRetainEvent");
    cl_event mine;
    const cl_int code = launch(queue, kernel, dimensions, offset, items, group, waits, waited, &mine);
    if (code != CL_SUCCESS)
        return code;
    if (count == room) {
        struct launch *const more = realloc(launches, (2 * room + 1024) * sizeof *launches);
        if (more != NULL) {
            launches = more;
            room = 2 * room + 1024;
        }
    }
    if (count < room) {
        struct launch *const l = &launches[count++];
        memset(l, 0, sizeof *l);
        name(kernel, CL_KERNEL_FUNCTION_NAME, sizeof l->kernel, l->kernel, NULL);
        l->items = 1;
        for (cl_uint i = 0; i < dimensions; i++)
            l->items *= items[i];
        l->event = mine;
        retain(mine);
    }
    if (event != NULL)
        *event = mine;
    else
        ((cl_int (*)(cl_event))of_driver("clReleaseEvent"))(mine);
    return CL_SUCCESS;
}
