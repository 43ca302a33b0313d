/* Device memory of CUDA. */

static int copied(call_queue queue, void *to, const void *from, int64_t size) {
    return cudaMemcpyAsync(to, from, (size_t)size, cudaMemcpyDefault, queue) != cudaSuccess || finish(queue) != 0;
}

static int put_image(const struct machine *m, call_queue queue, const struct argument *a, const unsigned char *bytes, call_buffer *out) {
    void *memory;
    (void)m;
    memcpy(out->extent, a->extent, sizeof out->extent);
    out->pitch = a->pitch;
    if (cudaMalloc(&memory, (size_t)a->size) != cudaSuccess)
        return 1;
    out->data = (char *)memory + a->offset;
    return copied(queue, memory, bytes, a->size);
}

static int get_image(call_queue queue, const struct argument *a, unsigned char *bytes, const call_buffer *image) {
    return copied(queue, bytes, (char *)image->data - a->offset, a->size);
}

static void drop_image(const struct argument *a, call_buffer *image) {
    cudaFree((char *)image->data - a->offset);
}

static void *put_result(call_queue queue, const unsigned char *bytes, int64_t size) {
    void *memory = NULL;
    return cudaMalloc(&memory, (size_t)size) != cudaSuccess || copied(queue, memory, bytes, size) ? NULL : memory;
}

static int get_result(call_queue queue, unsigned char *bytes, int64_t size, void *result) {
    const int bad = copied(queue, bytes, result, size);
    cudaFree(result);
    return bad;
}
