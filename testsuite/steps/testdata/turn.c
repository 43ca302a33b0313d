/* turn.c: after swaps every image is in the caller's own memory, whatever its offset and pitch, and nothing around it changed. */
#include "turn.h"

#include <stdio.h>
#include <string.h>

enum { height = 3, width = 4, count = 4, all = 4096 };

static const int offset[count] = {8, 260, 1024, 2052}, pitch[count] = {16, 32, 0, 20};

static int place(int i, int y, int x) { return offset[i] / 4 + y * (pitch[i] == 0 ? width : pitch[i] / 4) + x; }

/* Which image ends up in image i after n rounds. */
static int source(int i, int n) { return i == 3 ? 3 : (i + n) % 3; }

static int turned(turn *library, cl_context context, cl_command_queue queue, int n) {
    static int32_t before[all / 4], after[all / 4], wanted[all / 4];
    turn_buffer image[count];
    cl_mem memory;
    int status;
    memset(before, 0x5A, sizeof before);
    memset(image, 0, sizeof image);
    for (int i = 0; i < count; i++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                before[place(i, y, x)] = 100 * i + 10 * y + x;
    memcpy(wanted, before, sizeof wanted);
    for (int i = 0; i < count; i++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                wanted[place(i, y, x)] = 100 * source(i, n) + 10 * y + x + (i == 3 ? n : 0);
    memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof before, before, &status);
    for (int i = 0; i < count; i++) {
        image[i].memory = memory;
        image[i].offset = offset[i];
        image[i].pitch = pitch[i];
        image[i].extent[0] = height;
        image[i].extent[1] = width;
    }
    status = turn_enqueue(library, queue, &image[0], &image[1], &image[2], &image[3], n, 0, NULL, NULL);
    if (status != 0)
        printf("%d rounds: status %d, %s\n", n, status, turn_last_error(library));
    clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof after, after, 0, NULL, NULL);
    clReleaseMemObject(memory);
    for (int k = 0; k < all / 4; k++)
        if (after[k] != wanted[k]) {
            printf("%d rounds: word %d is %d, wanted %d\n", n, k, (int)after[k], (int)wanted[k]);
            return 1;
        }
    return status != 0;
}

int main(void) {
    cl_platform_id platforms[16];
    cl_uint found = 0;
    cl_device_id device = NULL;
    turn *library = NULL;
    int failures = 0;
    if (clGetPlatformIDs(16, platforms, &found) != CL_SUCCESS)
        found = 0;
    for (cl_uint i = 0; i < found && i < 16 && device == NULL; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
            device = NULL;
    if (device == NULL)
        return 2;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    for (int out_of_order = 0; out_of_order < 2; out_of_order++) {
        cl_command_queue queue =
            clCreateCommandQueue(context, device, out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, NULL);
        if (queue == NULL)
            continue;
        if (turn_create(context, device, &library) != 0)
            return 2;
        for (int n = 0; n < 5; n++)
            failures += turned(library, context, queue, n);
        turn_destroy(library);
        clReleaseCommandQueue(queue);
    }
    clReleaseContext(context);
    return failures != 0;
}
