/* ---- what every entry point shares ---- */

enum {
    max_extent = 1 << 30 /* of an image and of an iteration: index arithmetic on the device is in 32 bits */
};

/* An image as a call sees it. Lengths, pitch and offset are in bytes. */
struct view {
    const char *name;
    int rank;
    int line_axis; /* the axis between whose steps the pitch lies; -1: the image is one line */
    int component; /* size of a component */
    int lanes;     /* components of an element */
    int64_t extent[4];
    int64_t pitch;
    int64_t line;  /* used bytes of a line */
    int64_t lines; /* number of lines */
    int64_t bytes; /* from the first used byte to behind the last */
    int64_t offset;
    cl_mem memory;
    void *data;
    int own; /* the memory is the library's, what lies between the lines, too */
};

/* A queue and how commands on it are kept in order. */
struct stream {
    cl_command_queue queue;
    int out_of_order;
};

static int fail(struct library *self, int status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(self->error, sizeof self->error, format, args);
    va_end(args);
    return status;
}

static int cl_failed(struct library *self, cl_int code, const char *call) {
    int status = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ? status_device_memory
               : code == CL_OUT_OF_HOST_MEMORY                                          ? status_memory
                                                                                        : status_opencl;
    return fail(self, status, "%s failed with OpenCL error %d", call, (int)code);
}

/* 1 where a * b is at most limit, and then the product is in *out. Neither factor is negative. */
static int product(int64_t a, int64_t b, int64_t limit, int64_t *out) {
    if (b != 0 && a > limit / b)
        return 0;
    *out = a * b;
    return 1;
}

/* Computes line, lines, pitch and bytes of a view from its extents, and checks all of them. */
static int settle(struct library *self, struct view *v) {
    const int64_t limit = INT64_MAX / 4;
    int64_t last;
    v->line = (int64_t)v->component * v->lanes;
    v->lines = 1;
    for (int k = 0; k < v->rank; k++) {
        int64_t e = v->extent[k];
        if (e < 1)
            return fail(self, status_extent, "%s: extent %d is %lld; it must be at least 1", v->name, k, (long long)e);
        if (e > max_extent)
            return fail(self, status_size, "%s: extent %d is %lld; at most %d can be handled", v->name, k, (long long)e,
                        (int)max_extent);
        if (!product(k <= v->line_axis ? v->lines : v->line, e, limit, k <= v->line_axis ? &v->lines : &v->line))
            return fail(self, status_size, "%s is too large: its size in bytes does not fit 62 bits", v->name);
    }
    if (v->line_axis < 0 || v->pitch == 0)
        v->pitch = v->line;
    if (v->pitch < v->line)
        return fail(self, status_pitch, "%s: the pitch is %lld bytes, but a line has %lld", v->name, (long long)v->pitch,
                    (long long)v->line);
    if (v->pitch % v->component != 0)
        return fail(self, status_pitch, "%s: the pitch of %lld bytes is no multiple of the %d bytes of a component", v->name,
                    (long long)v->pitch, v->component);
    if (!product(v->lines - 1, v->pitch, limit, &last))
        return fail(self, status_size, "%s is too large: its size in bytes does not fit 62 bits", v->name);
    v->bytes = last + v->line;
    return status_ok;
}

/* Lays out an image of the library's own. Its lines start at multiples of so many bytes, or of fewer, where the gaps would take
   more than an eighth of it. */
static int pad(struct library *self, struct view *v, int64_t multiple) {
    v->own = 1;
    v->pitch = v->line;
    if (v->line_axis >= 0) {
        while (multiple > 16 && (multiple - v->line % multiple) % multiple > v->line / 8)
            multiple /= 2;
        v->pitch += (multiple - v->line % multiple) % multiple;
    }
    if (!product(v->lines, v->pitch, INT64_MAX / 4, &v->bytes))
        return fail(self, status_size, "%s is too large: its size in bytes does not fit 62 bits", v->name);
    return status_ok;
}

/* Lays out an image of a pyramid whose extents change during a call: bytes are those of the largest one. */
static int settle_largest(struct library *self, struct view *v) {
    const int64_t largest = v->bytes;
    v->pitch = 0;
    TRY(settle(self, v));
    if (v->bytes < largest)
        v->bytes = largest;
    return status_ok;
}

/* Refuses a number of levels that a pyramid cannot have. */
static int count_levels(struct library *self, int64_t count, int most, const char *name) {
    if (count < 1 || count > most)
        return fail(self, status_extent, "%s would have %lld levels; a pyramid has 1 to %d", name, (long long)count, most);
    return status_ok;
}

/* Refuses an extent of the finest level that is too large for the levels that are thought above it. */
static int finest(struct library *self, int64_t extent, int64_t most, const char *name) {
    if (extent < 1 || extent > most)
        return fail(self, status_extent, "an extent of %s is %lld; it is at least 1 and at most %lld", name, (long long)extent,
                    (long long)most);
    return status_ok;
}

/* Binds a size: extent = mul * size + add. */
static int bind(struct library *self, const struct view *v, int axis, int64_t mul, int64_t add, const char *size, int64_t *out) {
    int64_t rest = v->extent[axis] - add;
    if (rest % mul != 0)
        return fail(self, status_extent, "%s: extent %d is %lld, but no whole number %s gives that", v->name, axis,
                    (long long)v->extent[axis], size);
    *out = rest / mul;
    return status_ok;
}

/* Compares an extent with what the sizes ask for. */
static int expect(struct library *self, const struct view *v, int axis, int64_t want, const char *spelling) {
    if (v->extent[axis] == want)
        return status_ok;
    return fail(self, status_extent, "%s: extent %d is %lld, but %s = %lld is expected", v->name, axis,
                (long long)v->extent[axis], spelling, (long long)want);
}

/* Brings a host value into the 32 bits that a kernel takes. */
static int narrow(struct library *self, int64_t value, const char *what, cl_int *out) {
    if (value < INT32_MIN || value > INT32_MAX)
        return fail(self, status_size, "%s is %lld, which does not fit 32 bits", what, (long long)value);
    *out = (cl_int)value;
    return status_ok;
}

/* Sets a host value that the program computes in 32 bits. */
static int set_int(struct library *self, int64_t value, const char *what, int64_t *out) {
    cl_int narrowed = 0;
    TRY(narrow(self, value, what, &narrowed));
    *out = narrowed;
    return status_ok;
}

/* The number of work-items of one dimension: a multiple of the group. */
static int items(struct library *self, int64_t count, size_t group, size_t *out) {
    if (count > INT32_MAX - (int64_t)group)
        return fail(self, status_size, "an iteration of %lld instances in one dimension is too large", (long long)count);
    *out = count < 1 ? 0 : ((size_t)count + group - 1) / group * group;
    return status_ok;
}

/* Takes a host image; views may not overlap where one is written. */
static int host_view(struct library *self, struct view *v, const LIBRARY_IMAGE *image) {
    if (image == NULL || image->data == NULL)
        return fail(self, status_null, "%s is a null pointer", v->name);
    v->data = image->data;
    v->pitch = image->pitch;
    for (int k = 0; k < v->rank; k++)
        v->extent[k] = image->extent[k];
    TRY(settle(self, v));
    if ((uint64_t)v->bytes > SIZE_MAX || (uintptr_t)v->data > UINTPTR_MAX - (uintptr_t)v->bytes)
        return fail(self, status_size, "%s is larger than the address space", v->name);
    return status_ok;
}

static int host_apart(struct library *self, const struct view *a, const struct view *b) {
    uintptr_t p = (uintptr_t)a->data, q = (uintptr_t)b->data;
    if (p < q + (uintptr_t)b->bytes && q < p + (uintptr_t)a->bytes)
        return fail(self, status_overlap, "%s and %s overlap", a->name, b->name);
    return status_ok;
}

/* Refuses memory that kernels cannot use: of another context, no buffer, or made with one of the forbidden flags. */
static int usable(struct library *self, const struct view *v, cl_mem_flags forbidden) {
    cl_context context = NULL;
    cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
    cl_mem_flags flags = 0;
    cl_int code = clGetMemObjectInfo(v->memory, CL_MEM_CONTEXT, sizeof context, &context, NULL);
    if (code == CL_SUCCESS)
        code = clGetMemObjectInfo(v->memory, CL_MEM_TYPE, sizeof type, &type, NULL);
    if (code == CL_SUCCESS)
        code = clGetMemObjectInfo(v->memory, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
    if (code != CL_SUCCESS || type != CL_MEM_OBJECT_BUFFER)
        return fail(self, status_memory_object, "%s: the memory is no valid OpenCL buffer (error %d)", v->name, (int)code);
    if (context != self->context)
        return fail(self, status_memory_object, "%s: the buffer belongs to another OpenCL context", v->name);
    if ((flags & forbidden) != 0)
        return fail(self, status_memory_object, "%s: kernels may only %s this buffer", v->name,
                    (flags & CL_MEM_READ_ONLY) != 0 ? "read" : "write");
    return status_ok;
}

/* Takes an image in device memory: it must lie inside its buffer, and the buffer in our context. */
static int device_view(struct library *self, struct view *v, const LIBRARY_BUFFER *buffer, cl_mem_flags forbidden) {
    size_t size = 0;
    cl_int code;
    if (buffer == NULL || buffer->memory == NULL)
        return fail(self, status_null, "%s is a null pointer", v->name);
    v->memory = buffer->memory;
    v->offset = buffer->offset;
    v->pitch = buffer->pitch;
    for (int k = 0; k < v->rank; k++)
        v->extent[k] = buffer->extent[k];
    TRY(settle(self, v));
    TRY(usable(self, v, forbidden));
    code = clGetMemObjectInfo(v->memory, CL_MEM_SIZE, sizeof size, &size, NULL);
    if (code != CL_SUCCESS)
        return cl_failed(self, code, "clGetMemObjectInfo");
    if (v->offset < 0 || v->offset % v->component != 0)
        return fail(self, status_pitch, "%s: the offset of %lld bytes must be a multiple of %d and not negative", v->name,
                    (long long)v->offset, v->component);
    if ((uint64_t)v->offset > size || (uint64_t)v->bytes > size - (uint64_t)v->offset)
        return fail(self, status_extent, "%s: %lld bytes from byte %lld on are not inside a buffer of %llu bytes", v->name,
                    (long long)v->bytes, (long long)v->offset, (unsigned long long)size);
    return status_ok;
}

/* The whole buffer that a buffer is part of, and where in it. */
static int root(struct library *self, cl_mem memory, cl_mem *whole, size_t *origin) {
    cl_int code = clGetMemObjectInfo(memory, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof *whole, whole, NULL);
    if (code == CL_SUCCESS)
        code = clGetMemObjectInfo(memory, CL_MEM_OFFSET, sizeof *origin, origin, NULL);
    if (code != CL_SUCCESS)
        return cl_failed(self, code, "clGetMemObjectInfo");
    if (*whole == NULL)
        *whole = memory;
    return status_ok;
}

static int device_apart(struct library *self, const struct view *a, const struct view *b) {
    cl_mem p = NULL, q = NULL;
    size_t at = 0, bt = 0;
    TRY(root(self, a->memory, &p, &at));
    TRY(root(self, b->memory, &q, &bt));
    if (p == q && (int64_t)at + a->offset < (int64_t)bt + b->offset + b->bytes &&
        (int64_t)bt + b->offset < (int64_t)at + a->offset + a->bytes)
        return fail(self, status_overlap, "%s and %s overlap", a->name, b->name);
    return status_ok;
}

/* Makes *memory hold at least bytes; what it held before is lost. */
static int reserve(struct library *self, struct memory *memory, int64_t bytes, const char *name) {
    cl_int code = CL_SUCCESS;
    cl_mem fresh;
    if (memory->buffer != NULL && memory->bytes >= bytes)
        return status_ok;
    if ((uint64_t)bytes > SIZE_MAX)
        return fail(self, status_size, "%s is larger than the address space", name);
    fresh = clCreateBuffer(self->context, CL_MEM_READ_WRITE, (size_t)bytes, NULL, &code);
    if (fresh == NULL || code != CL_SUCCESS)
        return fail(self, status_device_memory, "no device memory for the %lld bytes of %s (OpenCL error %d)", (long long)bytes,
                    name, (int)code);
    if (memory->buffer != NULL)
        clReleaseMemObject(memory->buffer); /* kept by OpenCL until the commands that use it have ended */
    memory->buffer = fresh;
    memory->bytes = bytes;
    return status_ok;
}

/* Keeps the commands before and after it in order on a queue that does not by itself. */
static int in_order(struct library *self, const struct stream *s) {
    cl_int code;
    if (!s->out_of_order)
        return status_ok;
    code = clEnqueueBarrierWithWaitList(s->queue, 0, NULL, NULL);
    return code == CL_SUCCESS ? status_ok : cl_failed(self, code, "clEnqueueBarrierWithWaitList");
}

/* Fills bytes with zeros, by the largest pattern that divides their place and number: drivers store one pattern at a time. */
static cl_int fill_bytes(const struct stream *s, const struct view *v, int64_t offset, int64_t bytes) {
    static const cl_uchar zeros[16] = {0};
    size_t pattern = sizeof zeros;
    while (((uint64_t)offset | (uint64_t)bytes) % pattern != 0)
        pattern /= 2;
    return clEnqueueFillBuffer(s->queue, v->memory, zeros, pattern, (size_t)offset, (size_t)bytes, 0, NULL, NULL);
}

static int fill_zero(struct library *self, const struct stream *s, const struct view *v) {
    cl_int code = CL_SUCCESS;
    if (v->own || v->pitch == v->line) {
        code = fill_bytes(s, v, v->offset, v->bytes);
    } else {
        for (int64_t i = 0; i < v->lines && code == CL_SUCCESS; i++) /* the bytes between the lines are the caller's */
            code = fill_bytes(s, v, v->offset + i * v->pitch, v->line);
    }
    if (code != CL_SUCCESS)
        return cl_failed(self, code, "clEnqueueFillBuffer");
    return in_order(self, s);
}

/* Exchanges the memory of two images of equal extents. */
static void swap(struct view *a, struct view *b) {
    const struct view t = *a;
    a->memory = b->memory;
    a->offset = b->offset;
    a->pitch = b->pitch;
    a->bytes = b->bytes;
    a->own = b->own;
    b->memory = t.memory;
    b->offset = t.offset;
    b->pitch = t.pitch;
    b->bytes = t.bytes;
    b->own = t.own;
}

/* Copies between images of equal extents in device memory. */
static int move_lines(struct library *self, const struct stream *s, const struct view *from, const struct view *to) {
    const size_t lines = (size_t)from->lines, line = (size_t)from->line, here[3] = {(size_t)from->offset, 0, 0},
                 there[3] = {(size_t)to->offset, 0, 0}, region[3] = {line, lines, 1};
    cl_int code;
    if (from->pitch == from->line && to->pitch == to->line)
        code = clEnqueueCopyBuffer(s->queue, from->memory, to->memory, here[0], there[0], lines * line, 0, NULL, NULL);
    else /* the bytes between the lines are the caller's */
        code = clEnqueueCopyBufferRect(s->queue, from->memory, to->memory, here, there, region, (size_t)from->pitch, 0,
                                       (size_t)to->pitch, 0, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return cl_failed(self, code, "clEnqueueCopyBuffer");
    return in_order(self, s);
}

static int same_memory(const struct view *a, const struct view *b) {
    return a->memory == b->memory && a->offset == b->offset;
}

/* Brings what images hold after swaps to the memory that they had in the beginning. The first ones of the group are the
   caller's, all others are room that may be used on the way. */
static int bring_home(struct library *self, const struct stream *s, struct view *image, const struct view *own, const int *group,
                      int callers, int count) {
    for (int i = 0; i < callers; i++) {
        struct view *v = &image[group[i]];
        int there = 0; /* who is there now */
        if (same_memory(v, &own[group[i]]))
            continue;
        while (there < count - 1 && !same_memory(&image[group[there]], &own[group[i]]))
            there++;
        if (there < callers) { /* makes place, and ours is now there */
            TRY(move_lines(self, s, &image[group[there]], &image[group[count - 1]]));
            swap(&image[group[there]], &image[group[count - 1]]);
            there = count - 1;
        }
        TRY(move_lines(self, s, v, &image[group[there]]));
        swap(v, &image[group[there]]);
    }
    return status_ok;
}

/* Copies between host and device, line by line where the pitches differ; waits for the end. */
static int transfer(struct library *self, const struct stream *s, const struct view *host, const struct view *device, int up) {
    const size_t origin[3] = {0, 0, 0};
    size_t region[3];
    size_t from = (size_t)device->pitch, to = (size_t)host->pitch;
    cl_int code;
    region[0] = (size_t)host->line;
    region[1] = (size_t)host->lines;
    region[2] = 1;
    if (up)
        code = clEnqueueWriteBufferRect(s->queue, device->memory, CL_TRUE, origin, origin, region, from, 0, to, 0, host->data, 0,
                                        NULL, NULL);
    else
        code = clEnqueueReadBufferRect(s->queue, device->memory, CL_TRUE, origin, origin, region, from, 0, to, 0, host->data, 0,
                                       NULL, NULL);
    if (code != CL_SUCCESS)
        return cl_failed(self, code, up ? "clEnqueueWriteBufferRect" : "clEnqueueReadBufferRect");
    return status_ok;
}

/* Copies the one pixel of an image to the caller; unless it waits, the value is there when the call's event is complete. */
static int fetch(struct library *self, const struct stream *s, const struct view *v, void *to, int waits) {
    cl_int code = clEnqueueReadBuffer(s->queue, v->memory, waits ? CL_TRUE : CL_FALSE, 0, (size_t)v->line, to, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return cl_failed(self, code, "clEnqueueReadBuffer");
    return in_order(self, s);
}

/* The caller's queue must be of our context and device. */
static int take_queue(struct library *self, cl_command_queue queue, struct stream *s) {
    cl_context context = NULL;
    cl_device_id device = NULL;
    cl_command_queue_properties properties = 0;
    cl_int code;
    if (queue == NULL)
        return fail(self, status_null, "the queue is a null pointer");
    code = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (code == CL_SUCCESS)
        code = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    if (code == CL_SUCCESS)
        code = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    if (code != CL_SUCCESS)
        return fail(self, status_queue, "the queue is no valid OpenCL queue (error %d)", (int)code);
    if (context != self->context || device != self->device)
        return fail(self, status_queue, "the queue belongs to another context or device than the one given on creation");
    s->queue = queue;
    s->out_of_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
    return status_ok;
}

/* Forgets the last call if it has ended: where that was with an error, what waits for its event would fail, too. */
static void settle_last(struct library *self) {
    cl_int state = CL_QUEUED;
    if (self->busy == NULL)
        return;
    if (clGetEventInfo(self->busy, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) != CL_SUCCESS || state > CL_COMPLETE)
        return;
    clReleaseEvent(self->busy);
    self->busy = NULL;
}

/* Lets what follows on the queue wait for the caller's events and for the last call that used our memory. */
static int begin(struct library *self, const struct stream *s, cl_uint count, const cl_event *wait) {
    cl_int code = CL_SUCCESS;
    if (count > 0 && wait == NULL)
        return fail(self, status_null, "the list of events is a null pointer, but %u events are announced", (unsigned)count);
    settle_last(self);
    if (count > 0)
        code = clEnqueueBarrierWithWaitList(s->queue, count, wait, NULL);
    if (code == CL_SUCCESS && self->busy != NULL)
        code = clEnqueueBarrierWithWaitList(s->queue, 1, &self->busy, NULL);
    return code == CL_SUCCESS ? status_ok : cl_failed(self, code, "clEnqueueBarrierWithWaitList");
}

/* Marks the end of a call, for the caller and for the next call. */
static int end(struct library *self, const struct stream *s, cl_event *done) {
    cl_event mark = NULL;
    cl_int code = clEnqueueMarkerWithWaitList(s->queue, 0, NULL, &mark);
    if (code != CL_SUCCESS)
        return cl_failed(self, code, "clEnqueueMarkerWithWaitList");
    if (done != NULL && (code = clRetainEvent(mark)) != CL_SUCCESS) {
        clReleaseEvent(mark);
        return cl_failed(self, code, "clRetainEvent");
    }
    if (self->busy != NULL)
        clReleaseEvent(self->busy);
    self->busy = mark;
    if (done != NULL)
        *done = mark;
    clFlush(s->queue); /* a device that cannot do that says so to who waits for the event */
    return status_ok;
}

/* Sets one argument of a kernel. */
static int arg(struct library *self, cl_kernel kernel, cl_uint index, size_t size, const void *value) {
    cl_int code = clSetKernelArg(kernel, index, size, value);
    return code == CL_SUCCESS ? status_ok : cl_failed(self, code, "clSetKernelArg");
}

static int memory_arg(struct library *self, cl_kernel kernel, cl_uint index, const struct view *v) {
    return arg(self, kernel, index, sizeof v->memory, &v->memory);
}

static int int_arg(struct library *self, cl_kernel kernel, cl_uint index, int64_t value, const char *what) {
    cl_int narrowed = 0;
    TRY(narrow(self, value, what, &narrowed));
    return arg(self, kernel, index, sizeof narrowed, &narrowed);
}

static int long_arg(struct library *self, cl_kernel kernel, cl_uint index, int64_t value) {
    const cl_long wide = value;
    return arg(self, kernel, index, sizeof wide, &wide);
}

/* Runs a kernel for at least count[0] x count[1] x count[2] work-items. */
static int launch(struct library *self, const struct stream *s, cl_kernel kernel, const int64_t count[3], const size_t group[3]) {
    size_t global[3];
    cl_int code;
    for (int k = 0; k < 3; k++) {
        TRY(items(self, count[k], group[k], &global[k]));
        if (global[k] == 0)
            return status_ok; /* nothing to do */
    }
    code = clEnqueueNDRangeKernel(s->queue, kernel, 3, NULL, global, group, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return cl_failed(self, code, "clEnqueueNDRangeKernel");
    return in_order(self, s);
}

/* Ends a call that failed after work was enqueued: what it started must not outlive it. */
static int abandon(const struct stream *s, int status) {
    clFinish(s->queue);
    return status;
}
