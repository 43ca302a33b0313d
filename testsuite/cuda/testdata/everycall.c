/* everycall.c: calls of a sum whose last group joins what all have found, with memory of the library's, with a workspace that holds anything, and as
 * graphs: each finds its counter at 0. */
#include "counters.h"

#include <cuda_runtime_api.h>

#include <stdio.h>
#include <string.h>

enum { rows = 37, columns = 53, workspaces = 20 /* more than the library has zeros for */ };

static int wrong(const char *call, int status, long long got, long long want) {
    if (status == COUNTERS_OK && got == want)
        return 0;
    printf("%s: status %d, %lld, want %lld\n", call, status, got, want);
    return 1;
}

int main(void) {
    static unsigned char pixels[rows][columns];
    counters *library;
    counters_buffer image = {NULL, {rows, columns, 0, 0}, columns};
    void *workspace = NULL;
    cudaStream_t stream;
    int64_t bytes = 0, total = 0;
    long long want = 0;
    int failed = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            want += pixels[y][x] = (unsigned char)(y * 7 + x * 11);
    if (counters_create(0, &library) != COUNTERS_OK || cudaStreamCreate(&stream) != cudaSuccess ||
        cudaMalloc(&image.data, sizeof pixels) != cudaSuccess ||
        cudaMemcpyAsync(image.data, pixels, sizeof pixels, cudaMemcpyDefault, stream) != cudaSuccess ||
        counters_workspace(library, &image, &bytes) != COUNTERS_OK || cudaMalloc(&workspace, workspaces * (size_t)bytes) != cudaSuccess)
        return 1;
    for (int round = 0; round < 3; round++) {
        int status;
        total = 0;
        status = counters_enqueue(library, stream, &image, &total);
        cudaStreamSynchronize(stream);
        failed |= wrong("enqueue", status, total, want);
        if (round != 1) /* what the call before has left is as good as anything */
            cudaMemsetAsync(workspace, 0xff, workspaces * (size_t)bytes, stream);
        for (int i = 0; i < workspaces; i++) {
            total = 0;
            status = counters_enqueue_in(library, stream, (char *)workspace + i * bytes, bytes, &image, &total);
            cudaStreamSynchronize(stream);
            failed |= wrong("enqueue_in", status, total, want);
        }
        total = 0;
        status = counters_enqueue_graph(library, stream, &image, &total);
        cudaStreamSynchronize(stream);
        failed |= wrong("enqueue_graph", status, total, want);
    }
    cudaFree(workspace);
    cudaFree(image.data);
    cudaStreamDestroy(stream);
    counters_destroy(library);
    return failed;
}
