/* inplace.c: calls whose results go to device memory. They are right wherever that is, and copied only where kernels cannot write them: to an address
 * that is not aligned as they need it, or in an image of the call, and those of less than four bytes. */
#include "results.h"

#include <cuda_runtime_api.h>

#include <stdio.h>
#include <string.h>

enum { rows = 37, columns = 53 };

/* Where results go, in bytes from the start of device memory, the first one perhaps in the source, and how many of them are to be copied. */
struct places {
    size_t total, place, top;
    int in_source, copies;
};

static int copies;

#undef cudaMemcpyAsync /* counted_copy on the command line */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream);

cudaError_t counted_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
    copies++;
    return cudaMemcpyAsync(to, from, bytes, kind, stream);
}

static unsigned char pixels[rows][columns], found[rows][columns];
static long long total;

/* Looks at what a call has left, and forgets it. */
static int wrong(const char *call, int status, const struct places *p, char *device, void *src, const void *dst) {
    const int expected = p->copies;
    char bytes[256];
    long long sum;
    int place[2], bad;
    cudaDeviceSynchronize();
    memcpy(bytes, device, sizeof bytes);
    memset(device, 0xff, sizeof bytes);
    memcpy(found, dst, sizeof found);
    memcpy(&sum, p->in_source ? (char *)src + p->total : bytes + p->total, sizeof sum);
    memcpy(src, pixels, sizeof pixels);
    memcpy(place, bytes + p->place, sizeof place);
    bad = status != RESULTS_OK || sum != total || place[0] != 17 || place[1] != 31 || (unsigned char)bytes[p->top] != 255 || copies != expected;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            bad |= found[y][x] != (unsigned char)(pixels[y][x] + total);
    if (bad)
        printf("%s at %d, %d, %d: status %d, %lld (want %lld), %d %d, %d, %d copies (want %d)\n", call, (int)p->total, (int)p->place, (int)p->top,
               status, sum, total, place[0], place[1], (unsigned char)bytes[p->top], copies, expected);
    copies = 0;
    return bad;
}

int main(void) {
    static const struct places all[] = {
        {0, 16, 32, 0, 1}, {8, 32, 1, 0, 1}, {4, 16, 32, 0, 2}, {0, 8, 32, 0, 2}, {16, 80, 97, 0, 1}, {64, 16, 32, 1, 2},
    };
    results *library;
    results_buffer src = {NULL, {rows, columns, 0, 0}, columns}, dst = {NULL, {rows, columns, 0, 0}, columns};
    void *memory = NULL;
    cudaStream_t stream;
    int failed = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            total += pixels[y][x] = (unsigned char)((y * 7 + x * 11) % 200);
    total += 255 - pixels[31][17];
    pixels[31][17] = 255;
    if (results_create(0, &library) != RESULTS_OK || cudaStreamCreate(&stream) != cudaSuccess || cudaMalloc(&memory, 256) != cudaSuccess ||
        cudaMalloc(&src.data, sizeof pixels) != cudaSuccess || cudaMalloc(&dst.data, sizeof pixels) != cudaSuccess ||
        cudaMemcpyAsync(src.data, pixels, sizeof pixels, cudaMemcpyDefault, stream) != cudaSuccess)
        return 1;
    cudaStreamSynchronize(stream);
    copies = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const struct places *p = &all[i];
        char *const at = memory;
        int64_t *const sum = (int64_t *)((p->in_source ? (char *)src.data : at) + p->total);
        int32_t *const place = (int32_t *)(at + p->place);
        for (int again = 0; again < 2; again++) {
            int status = results_enqueue(library, stream, &src, sum, place, (uint8_t *)(at + p->top), &dst);
            failed |= wrong("enqueue", status, p, memory, src.data, dst.data);
            status = results_enqueue_graph(library, stream, &src, sum, place, (uint8_t *)(at + p->top), &dst);
            failed |= wrong("enqueue_graph", status, p, memory, src.data, dst.data);
        }
    }
    cudaFree(memory);
    cudaFree(src.data);
    cudaFree(dst.data);
    cudaStreamDestroy(stream);
    results_destroy(library);
    return failed;
}
