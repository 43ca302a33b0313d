/* place.c: devices, images and expected results for the test programs. */
#include "check.h"

int failures;

int open_place(struct place *p) {
    cl_platform_id platforms[16];
    cl_uint platform_count = 0, count = 0;
    cl_int code;
    memset(p, 0, sizeof *p);
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
    return p->context == NULL || p->other == NULL || p->queue == NULL;
}

void close_place(struct place *p) {
    clReleaseCommandQueue(p->queue);
    clReleaseContext(p->other);
    clReleaseContext(p->context);
}

/* Inputs from a small generator; outputs and what lies behind every image are poisoned. */
void fill(struct images *m) {
    uint32_t state = 12345;
    memset(m, 0xA5, sizeof *m);
    for (int i = 0; i < height * width; i++) {
        state = state * 1664525u + 1013904223u;
        m->a[i] = (uint16_t)(state >> 16);
        m->b[i] = (uint16_t)(state >> 8);
        m->acc[i] = (int32_t)(state >> 4);
    }
}

void expected(const struct images *before, int row, struct images *after) {
    memcpy(after, before, sizeof *after);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int below = y + 1 < height ? y + 1 : height - 1;
            const int32_t tmp = before->a[y * width + x] + 3 * before->b[below * width + x] + before->a[row * width + x];
            after->acc[y * width + x] = (int32_t)((uint32_t)before->acc[y * width + x] + (uint32_t)tmp);
            for (int k = 0; k < 6; k++)
                after->dst[(y * width + x) * 6 + k] = (uint16_t)tmp;
        }
}
