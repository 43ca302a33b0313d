/* Device memory of OpenCL. */

static int put_image(const struct machine *m, call_queue queue, const struct argument *a, const unsigned char *bytes, call_buffer *out) {
    cl_int code;
    (void)queue;
    memcpy(out->extent, a->extent, sizeof out->extent);
    out->pitch = a->pitch;
    out->offset = a->offset;
    out->memory = clCreateBuffer(m->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, (size_t)a->size, (void *)(uintptr_t)bytes, &code);
    return out->memory == NULL;
}

static int get_image(call_queue queue, const struct argument *a, unsigned char *bytes, const call_buffer *image) {
    return clEnqueueReadBuffer(queue, image->memory, CL_TRUE, 0, (size_t)a->size, bytes, 0, NULL, NULL) != CL_SUCCESS;
}

static void drop_image(const struct argument *a, call_buffer *image) {
    (void)a;
    free_image(image);
}

/* Scalars are always in the host's memory. */
static void *put_result(call_queue queue, const unsigned char *bytes, int64_t size) {
    (void)queue;
    (void)bytes;
    (void)size;
    return NULL;
}

static int get_result(call_queue queue, unsigned char *bytes, int64_t size, void *result) {
    (void)queue;
    (void)bytes;
    (void)size;
    (void)result;
    return 1;
}
