/* everycall.c: calls of a sum whose last group joins what all have found: with host memory, with memory of the library's on a queue that
 * keeps commands in order and on one that does not, and with workspaces that hold anything, on both queues at a time. Each finds its counter at 0. */
#include "counters.h"

#include <stdio.h>
#include <string.h>

enum { rows = 37, columns = 53, queues = 2 };

static int wrong(const char *call, int status, long long got, long long want) {
    if (status == COUNTERS_OK && got == want)
        return 0;
    printf("%s: status %d, %lld, want %lld\n", call, status, got, want);
    return 1;
}

/* Fills a workspace: with something else in each round but one, as what the call before has left is as good as anything. */
static int spoil(cl_command_queue queue, cl_mem workspace, int64_t bytes, int round) {
    const cl_uint pattern = 0xfffffff0u + (cl_uint)round;
    return round != 1 && (clEnqueueFillBuffer(queue, workspace, &pattern, sizeof pattern, 0, (size_t)bytes, 0, NULL, NULL) != CL_SUCCESS ||
                          clFinish(queue) != CL_SUCCESS);
}

int main(void) {
    static unsigned char pixels[rows][columns];
    const cl_command_queue_properties orders[queues] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
    counters *library = NULL;
    counters_image here = {pixels, {rows, columns, 0, 0}, 0};
    counters_buffer image = {NULL, 0, {rows, columns, 0, 0}, 0};
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue[queues];
    cl_mem workspace[queues];
    int64_t bytes = 0, total[queues];
    long long want = 0;
    int failed = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            want += pixels[y][x] = (unsigned char)(y * 7 + x * 11);
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 3;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    image.memory = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof pixels, pixels, NULL);
    if (counters_create(context, device, &library) != COUNTERS_OK || counters_workspace(library, &image, &bytes) != COUNTERS_OK)
        return 1;
    for (int q = 0; q < queues; q++) {
        queue[q] = clCreateCommandQueue(context, device, orders[q], NULL);
        workspace[q] = clCreateBuffer(context, CL_MEM_READ_WRITE, (size_t)bytes, NULL, NULL);
        if (queue[q] == NULL || workspace[q] == NULL)
            return 1;
    }
    for (int round = 0; round < 3; round++) {
        int status[queues];
        total[0] = 0;
        status[0] = counters_run(library, &here, &total[0]);
        failed |= wrong("run", status[0], total[0], want);
        for (int q = 0; q < queues; q++) { /* the second call waits for the first one, whose memory it uses */
            total[q] = 0;
            status[q] = counters_enqueue(library, queue[q], &image, &total[q], 0, NULL, NULL);
        }
        for (int q = 0; q < queues; q++) {
            clFinish(queue[q]);
            failed |= wrong("enqueue", status[q], total[q], want);
            failed |= spoil(queue[q], workspace[q], bytes, round);
        }
        for (int q = 0; q < queues; q++) {
            total[q] = 0;
            status[q] = counters_enqueue_in(library, queue[q], workspace[q], &image, &total[q], 0, NULL, NULL);
        }
        for (int q = 0; q < queues; q++) {
            clFinish(queue[q]);
            failed |= wrong("enqueue_in", status[q], total[q], want);
        }
    }
    for (int q = 0; q < queues; q++) {
        clReleaseMemObject(workspace[q]);
        clReleaseCommandQueue(queue[q]);
    }
    counters_destroy(library);
    clReleaseMemObject(image.memory);
    clReleaseContext(context);
    return failed;
}
