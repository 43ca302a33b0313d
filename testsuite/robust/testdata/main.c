/* main.c: opens a device and runs the tests whose names are given, all of them where there is none. */
#include "robust.h"

#include <time.h>

struct place place;
int failures;
int thorough;

static const struct {
    const char *name;
    void (*run)(void);
    int keep; /* many libraries are made one after the other */
} tests[] = {
    {"wrong", test_wrong_calls, 0}, {"failing", test_failing_calls, 1}, {"lost", test_lost_device, 1},
    {"work", test_failed_work, 1},  {"builds", test_builds, 0},         {"threads", test_threads, 0},
};

static int open_place(struct place *p) {
    cl_platform_id platforms[16];
    cl_uint platform_count = 0, count = 0;
    cl_int code;
    if (clGetPlatformIDs(16, platforms, &platform_count) != CL_SUCCESS)
        platform_count = 0;
    for (cl_uint i = 0; i < platform_count && i < 16 && p->device == NULL; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &p->device, &count) != CL_SUCCESS)
            p->device = NULL;
    if (p->device == NULL)
        return 1;
    p->context = clCreateContext(NULL, 1, &p->device, NULL, NULL, &code);
    p->other = clCreateContext(NULL, 1, &p->device, NULL, NULL, &code);
    p->queue = p->context == NULL ? NULL : clCreateCommandQueue(p->context, p->device, 0, &code);
    p->foreign = p->other == NULL ? NULL : clCreateCommandQueue(p->other, p->device, 0, &code);
    return p->queue == NULL || p->foreign == NULL;
}

static void close_place(struct place *p) {
    clReleaseCommandQueue(p->queue);
    clReleaseCommandQueue(p->foreign);
    clReleaseContext(p->other);
    clReleaseContext(p->context);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int is_chosen(const char *name, int argc, char **argv) {
    int any = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "thorough") == 0)
            continue;
        any = 1;
        if (strcmp(argv[i], name) == 0)
            return 1;
    }
    return !any;
}

int main(int argc, char **argv) {
    static const struct objects none;
    double start;
    for (int i = 1; i < argc; i++)
        thorough = thorough || strcmp(argv[i], "thorough") == 0;
    if (open_place(&place) != 0) {
        printf("no device\n");
        return 3;
    }
    settle_wanted();
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        if (!is_chosen(tests[i].name, argc, argv) || failures > 20)
            continue;
        start = seconds();
        shim_keep_programs(tests[i].keep);
        tests[i].run();
        shim_keep_programs(0);
        printf("%s: %s in %.1f s\n", subject.name, tests[i].name, seconds() - start);
        CHECK(memcmp(&shim.objects, &none, sizeof none) == 0,
              "%s left %d buffers, %d kernels, %d programs, %d queues, %d events, %d blocks of memory", tests[i].name, shim.objects.buffers,
              shim.objects.kernels, shim.objects.programs, shim.objects.queues, shim.objects.events, shim.objects.blocks);
    }
    close_place(&place);
    return failures > 0;
}
