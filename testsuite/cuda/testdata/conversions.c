/* conversions.c: all integers of 8 and 16 bits become the floats that C makes of them, where lines are aligned and where not. */
#include "floats.h"

#include <cuda_runtime_api.h>

#include <stdio.h>

enum { side = 256, n = side * side, images = 8 };

static const int size[images] = {1, 1, 2, 2, 4, 4, 4, 4};

static unsigned char a[n];
static signed char b[n];
static unsigned short c[n];
static short d[n];
static float out[4][n];

/* Runs the pipeline with inputs that begin behind so many components of a buffer. */
static int run(floats *library, cudaStream_t stream, void *const device[images], int first) {
    const void *const in[4] = {a, b, c, d};
    floats_buffer m[images];
    int failed = 0;
    for (int i = 0; i < images; i++) {
        m[i] = (floats_buffer){(char *)device[i] + (i < 4 ? first * size[i] : 0), {side, side, 0, 0}, side * size[i]};
        if (i < 4 && cudaMemcpyAsync((char *)m[i].data, in[i], (size_t)(n * size[i]), cudaMemcpyDefault, stream) != cudaSuccess)
            return 1;
    }
    if (floats_enqueue(library, stream, &m[0], &m[1], &m[2], &m[3], &m[4], &m[5], &m[6], &m[7]) != FLOATS_OK) {
        printf("%s\n", floats_last_error(library));
        return 1;
    }
    for (int i = 0; i < 4; i++)
        if (cudaMemcpyAsync(out[i], device[4 + i], sizeof out[i], cudaMemcpyDefault, stream) != cudaSuccess || cudaStreamSynchronize(stream) != cudaSuccess)
            return 1;
    for (int i = 0; i < n; i++)
        if (out[0][i] != (float)a[i] || out[1][i] != (float)b[i] || out[2][i] != (float)c[i] || out[3][i] != (float)d[i]) {
            printf("from %d on: %d %d %d %d became %g %g %g %g\n", first, a[i], b[i], c[i], d[i], out[0][i], out[1][i], out[2][i], out[3][i]);
            failed = 1;
        }
    return failed;
}

int main(void) {
    floats *library;
    cudaStream_t stream;
    void *device[images];
    for (int i = 0; i < n; i++) {
        a[i] = (unsigned char)i;
        b[i] = (signed char)(i % 256 - 128);
        c[i] = (unsigned short)i;
        d[i] = (short)(i - 32768);
    }
    if (floats_create(0, &library) != FLOATS_OK || cudaStreamCreate(&stream) != cudaSuccess)
        return 1;
    for (int i = 0; i < images; i++)
        if (cudaMalloc(&device[i], (size_t)((n + 8) * size[i])) != cudaSuccess)
            return 1;
    const int failed = run(library, stream, device, 0) | run(library, stream, device, 3);
    for (int i = 0; i < images; i++)
        cudaFree(device[i]);
    cudaStreamDestroy(stream);
    floats_destroy(library);
    return failed;
}
