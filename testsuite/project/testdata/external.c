/* external.c: the least that a user writes: one call with images in host memory. */
#include <calls.h>

#include <stdio.h>

int main(void) {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    calls *library = NULL;
    float numbers[3] = {1, 2, 3}, doubled[3];
    calls_image src = {numbers, {3, 0, 0, 0}, 0}, dst = {doubled, {3, 0, 0, 0}, 0};
    int status;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 3;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    status = calls_create(context, device, &library);
    if (status == CALLS_OK)
        status = calls_line_run(library, &src, &dst);
    printf(status == CALLS_OK ? "%g %g %g\n" : "failed\n", (double)doubled[0], (double)doubled[1], (double)doubled[2]);
    calls_destroy(library);
    clReleaseContext(context);
    return status;
}
