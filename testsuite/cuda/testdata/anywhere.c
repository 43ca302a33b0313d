/* anywhere.c: images whose lines have any width, start anywhere and have gaps behind them. Results are right, and the gaps as they were. */
#include "lines.h"

#include <cuda_runtime_api.h>

#include <stdio.h>
#include <string.h>

enum { rows = 11, most = 64, images = 7, room = 1 << 13, poison = 0xa5 };

static const int size[images] = {1, 2, 4, 1, 2, 4, 1}, by[images] = {1, 1, 1, 1, 1, 1, 2};

static unsigned char memory[images][room];
static unsigned char src[rows][most];
static unsigned short wide[rows][most];
static float far[rows][most];

static int within(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }

static float mid(int y, int x, int width) {
    y = within(y, rows);
    x = within(x, width);
    return far[y][within(x - 1, width)] + far[within(y + 1, rows)][x];
}

/* What pixels become, as the program says. */
static void expected(int y, int x, int width, unsigned char *dst, short *both, float *sums, unsigned char *half) {
    const int up = within(y - 1, rows), down = within(y + 1, rows), left = within(x - 1, width), right = within(x + 1, width);
    *dst = (unsigned char)((src[up][left] + 2 * src[y][x] + src[down][right]) / 4);
    *both = (short)(wide[y][within(x + 2, width)] / 2 - wide[y][left] / 2);
    *sums = mid(y, x + 1, width) - mid(y - 1, x, width);
    *half = (unsigned char)((src[within(2 * y - 1, rows)][within(2 * x, width)] + src[within(2 * y, rows)][within(2 * x + 1, width)]) / 2);
}

/* How many rows or columns an image has, of so many. */
static int extent(int image, int n) { return (n + by[image] - 1) / by[image]; }

/* Looks at an image that a call has written, and at what lies around its lines. */
static int wrong(int image, int width, int pitch, int offset, const unsigned char *bytes) {
    static unsigned char want[room];
    memset(want, poison, sizeof want);
    for (int y = 0; y < extent(image, rows); y++)
        for (int x = 0; x < extent(image, width); x++) {
            unsigned char dst, half;
            short both;
            float sums;
            const void *const result[] = {&dst, &both, &sums, &half};
            expected(y, x, width, &dst, &both, &sums, &half);
            memcpy(want + offset + y * pitch + x * size[image], result[image - 3], (size_t)size[image]);
        }
    return memcmp(want, bytes, sizeof want) != 0;
}

/* Runs the pipeline on lines of a width, so many components apart, from a component on that is not the same for all images. */
static int run(lines *library, cudaStream_t stream, void *const device[images], int width, int apart, int first) {
    lines_buffer b[images];
    int failed = 0;
    for (int i = 0; i < images; i++) {
        const int offset = (first == 0 ? 0 : first + i) * size[i], pitch = apart * size[i];
        const void *const from[] = {src, wide, far};
        memset(memory[i], poison, room);
        for (int y = 0; i < 3 && y < rows; y++)
            memcpy(memory[i] + offset + y * pitch, (const char *)from[i] + y * most * size[i], (size_t)(width * size[i]));
        if (cudaMemcpyAsync(device[i], memory[i], room, cudaMemcpyDefault, stream) != cudaSuccess)
            return 1;
        b[i] = (lines_buffer){(char *)device[i] + offset, {extent(i, rows), extent(i, width), 0, 0}, pitch};
    }
    if (lines_enqueue(library, stream, &b[0], &b[1], &b[2], &b[3], &b[4], &b[5], &b[6]) != LINES_OK) {
        printf("%d: %s\n", width, lines_last_error(library));
        return 1;
    }
    for (int i = 3; i < images; i++) {
        if (cudaMemcpyAsync(memory[i], device[i], room, cudaMemcpyDefault, stream) != cudaSuccess || cudaStreamSynchronize(stream) != cudaSuccess)
            return 1;
        if (wrong(i, width, apart * size[i], (first == 0 ? 0 : first + i) * size[i], memory[i])) {
            printf("image %d of %d columns, %d apart, from %d on is wrong\n", i, width, apart, first);
            failed = 1;
        }
    }
    return failed;
}

int main(void) {
    lines *library;
    cudaStream_t stream;
    void *device[images];
    int failed = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < most; x++) {
            src[y][x] = (unsigned char)(y * 37 + x * 11);
            wide[y][x] = (unsigned short)(y * 3701 + x * 1103);
            far[y][x] = (float)(y * 5 - x * x);
        }
    if (lines_create(0, &library) != LINES_OK || cudaStreamCreate(&stream) != cudaSuccess)
        return 1;
    for (int i = 0; i < images; i++)
        if (cudaMalloc(&device[i], room) != cudaSuccess)
            return 1;
    for (int width = 1; width <= 49; width += width < 16 ? 4 : 1) {
        failed |= run(library, stream, device, width, 64, 0);
        failed |= run(library, stream, device, width, width, 0);
        failed |= run(library, stream, device, width, width + 1, 1);
    }
    for (int i = 0; i < images; i++)
        cudaFree(device[i]);
    cudaStreamDestroy(stream);
    lines_destroy(library);
    return failed;
}
