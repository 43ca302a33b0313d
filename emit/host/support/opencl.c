/* A queue and how commands on it are kept in order. */
struct stream {
    cl_command_queue queue;
    int out_of_order;
    int ours; /* the call uses memory of ours */
    int marks; /* the caller wants an event for the end of the call */
};

/* A buffer of the caller's for temporary images. */
struct workspace {
    cl_mem memory;
};

static int cl_failed(struct library *self, cl_int code, const char *call) {
    int status = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ? status_device_memory
               : code == CL_OUT_OF_HOST_MEMORY                                          ? status_memory
                                                                                        : status_opencl;
    return fail(self, status, "%s failed with OpenCL error %d", call, (int)code);
}

/* Takes the extents and the pitch of an image in device memory. */
static int device_shape(struct library *self, struct view *v, const LIBRARY_BUFFER *buffer) {
    if (buffer == NULL)
        return fail(self, status_null, "%s is a null pointer", v->name);
    v->pitch = buffer->pitch;
    for (int k = 0; k < v->rank; k++)
        v->extent[k] = buffer->extent[k];
    return settle(self, v);
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
    if (code != CL_SUCCESS)
        return fail(self, status_memory_object, "%s: the memory is no valid OpenCL buffer (OpenCL error %d)", v->name, (int)code);
    if (type != CL_MEM_OBJECT_BUFFER)
        return fail(self, status_memory_object, "%s: the memory object is no OpenCL buffer", v->name);
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
    TRY(device_shape(self, v, buffer));
    v->memory = buffer->memory;
    v->offset = buffer->offset;
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

/* Bytes from the start of a temporary image in a workspace to that of the next: no device aligns parts of buffers to more. */
static int64_t room_for(int64_t bytes) {
    return (bytes + 4095) / 4096 * 4096;
}

/* A workspace is a buffer of our context, large enough, and no part of another buffer, which has no parts. */
static int take_workspace(struct library *self, cl_mem memory, int64_t needed, struct workspace *out) {
    struct view v;
    cl_mem whole = NULL;
    size_t size = 0;
    cl_int code;
    if (memory == NULL)
        return fail(self, status_null, "the workspace is a null pointer");
    memset(&v, 0, sizeof v);
    v.name = "the workspace";
    v.memory = memory;
    TRY(usable(self, &v, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY));
    code = clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof size, &size, NULL);
    if (code == CL_SUCCESS)
        code = clGetMemObjectInfo(memory, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole, NULL);
    if (code != CL_SUCCESS)
        return cl_failed(self, code, "clGetMemObjectInfo");
    if (whole != NULL)
        return fail(self, status_workspace, "the workspace is a part of another buffer");
    if ((uint64_t)needed > size)
        return fail(self, status_workspace, "the workspace has %llu bytes, but %lld are needed", (unsigned long long)size,
                    (long long)needed);
    out->memory = memory;
    return status_ok;
}

/* Gives images their memory, in the workspace or, without one, in buffers of ours. */
static int temporaries(struct library *self, struct stream *s, struct view *image, int first, int count,
                       const struct workspace *room) {
    cl_buffer_region region = {0, 0};
    for (int i = first; i < count; i++) {
        const int64_t bytes = memory_bytes(image, i, count);
        cl_int code = CL_SUCCESS;
        if (bytes == 0) { /* a level that is not there, or one that takes another's */
            if (image[i].shares != 0)
                image[i].memory = image[image[i].shares - 1].memory;
            continue;
        }
        if (room == NULL) {
            s->ours = 1;
            TRY(reserve(self, &self->memory[i], bytes, image[i].name));
            image[i].memory = self->memory[i].buffer;
            continue;
        }
        region.size = (size_t)room_for(bytes);
        self->parts[i] = clCreateSubBuffer(room->memory, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        if (self->parts[i] == NULL || code != CL_SUCCESS)
            return cl_failed(self, code, "clCreateSubBuffer");
        image[i].memory = self->parts[i];
        region.origin += region.size;
    }
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

/* Takes an image that calls find and leave as zeros: one of ours, or in the caller's workspace, which may hold anything. */
static int take_kept(struct library *self, const struct stream *s, struct view *v, int number) {
    if (!s->ours)
        return fill_zero(self, s, v);
    v->memory = self->kept[number];
    return status_ok;
}

/* Copies between images of equal extents in device memory. */
static int move_lines(struct library *self, const struct stream *s, const struct view *from, const struct view *to) {
    const size_t lines = (size_t)from->lines, line = (size_t)from->line, here[3] = {(size_t)from->offset, 0, 0},
                 there[3] = {(size_t)to->offset, 0, 0}, region[3] = {line, lines, 1};
    cl_int code = CL_SUCCESS;
    if (from->pitch == from->line && to->pitch == to->line)
        code = clEnqueueCopyBuffer(s->queue, from->memory, to->memory, here[0], there[0], lines * line, 0, NULL, NULL);
    else if (from->memory != to->memory || from->pitch == to->pitch) /* the bytes between the lines are the caller's */
        code = clEnqueueCopyBufferRect(s->queue, from->memory, to->memory, here, there, region, (size_t)from->pitch, 0,
                                       (size_t)to->pitch, 0, 0, NULL, NULL);
    else /* within a buffer OpenCL copies rectangles of one pitch only */
        for (size_t i = 0; i < lines && code == CL_SUCCESS; i++)
            code = clEnqueueCopyBuffer(s->queue, from->memory, to->memory, here[0] + i * (size_t)from->pitch,
                                       there[0] + i * (size_t)to->pitch, line, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return cl_failed(self, code, "clEnqueueCopyBuffer");
    return in_order(self, s);
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
    s->ours = 0;
    s->marks = 0;
    return status_ok;
}

/* The queue of calls with host memory. */
static int take_own(struct library *self, struct stream *s) {
    s->queue = self->queue;
    s->out_of_order = 0;
    s->ours = 0;
    s->marks = 0;
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

/* Keeps the queue of the last call that used our memory, so that no other one is taken for it. */
static cl_int keep_queue(struct library *self, cl_command_queue queue) {
    cl_int code = CL_SUCCESS;
    if (self->user == queue)
        return CL_SUCCESS;
    if ((code = clRetainCommandQueue(queue)) != CL_SUCCESS)
        return code;
    if (self->user != NULL)
        clReleaseCommandQueue(self->user);
    self->user = queue;
    return CL_SUCCESS;
}

/* Has what follows on a queue wait for the last call that used our memory, on another one. Nobody has asked for that call's event before,
   where its caller has not, since a device takes some microseconds for one. */
static cl_int wait_for_last(struct library *self, const struct stream *s) {
    cl_int code = CL_SUCCESS;
    if (self->busy == NULL) {
        code = clEnqueueMarkerWithWaitList(self->user, 0, NULL, &self->busy);
        if (code == CL_SUCCESS)
            code = clFlush(self->user);
    }
    settle_last(self);
    if (code == CL_SUCCESS && self->busy != NULL)
        code = clEnqueueBarrierWithWaitList(s->queue, 1, &self->busy, NULL);
    return code;
}

/* Lets what follows on the queue wait for the caller's events and for the last call that used our memory; on a queue, calls follow each other. */
static int begin(struct library *self, struct stream *s, cl_uint count, const cl_event *wait, const cl_event *done) {
    cl_int code = CL_SUCCESS;
    if (count > 0 && wait == NULL)
        return fail(self, status_null, "the list of events is a null pointer, but their number is %u", (unsigned)count);
    if (self->last != NULL)
        clReleaseEvent(self->last);
    self->last = NULL;
    s->marks = done != NULL;
    if (count > 0)
        code = clEnqueueBarrierWithWaitList(s->queue, count, wait, NULL);
    if (code == CL_SUCCESS && s->ours && self->user != NULL && self->user != s->queue)
        code = wait_for_last(self, s);
    return code == CL_SUCCESS ? status_ok : cl_failed(self, code, "clEnqueueBarrierWithWaitList");
}

/* Notes the end of a call that uses our memory: its event, or NULL, and its queue, which is kept so that no other one is taken for it. */
static cl_int note_last(struct library *self, cl_command_queue queue, cl_event mark) {
    cl_int code = CL_SUCCESS;
    if (self->user != queue) {
        if ((code = clRetainCommandQueue(queue)) != CL_SUCCESS)
            return code;
        if (self->user != NULL)
            clReleaseCommandQueue(self->user);
        self->user = queue;
    }
    if (mark != NULL && (code = clRetainEvent(mark)) != CL_SUCCESS)
        return code;
    if (self->busy != NULL)
        clReleaseEvent(self->busy);
    self->busy = mark;
    return CL_SUCCESS;
}

/* Marks the end of a call for the caller, and notes it for the next call with memory of ours. */
static int end(struct library *self, const struct stream *s, cl_event *done) {
    cl_event mark = self->last;
    cl_int code = CL_SUCCESS;
    self->last = NULL;
    if (mark == NULL && done != NULL)
        code = clEnqueueMarkerWithWaitList(s->queue, 0, NULL, &mark);
    if (code != CL_SUCCESS)
        return cl_failed(self, code, "clEnqueueMarkerWithWaitList");
    if (s->ours && (code = note_last(self, s->queue, mark)) != CL_SUCCESS) {
        if (mark != NULL)
            clReleaseEvent(mark);
        return cl_failed(self, code, "clRetainCommandQueue");
    }
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
    int32_t narrowed = 0;
    TRY(narrow(self, value, what, &narrowed));
    return arg(self, kernel, index, sizeof narrowed, &narrowed);
}

static int long_arg(struct library *self, cl_kernel kernel, cl_uint index, int64_t value) {
    const cl_long wide = value;
    return arg(self, kernel, index, sizeof wide, &wide);
}

/* Runs a kernel for at least count[0] x count[1] x count[2] work-items, with an event for its end unless that is NULL. */
static int launch_with(struct library *self, const struct stream *s, cl_kernel kernel, const int64_t count[3], const size_t group[3],
                       cl_event *event) {
    size_t global[3];
    cl_int code;
    for (int k = 0; k < 3; k++) {
        TRY(items(self, count[k], group[k], &global[k]));
        if (global[k] == 0)
            return status_ok; /* nothing to do */
    }
    code = clEnqueueNDRangeKernel(s->queue, kernel, 3, NULL, global, group, 0, NULL, event);
    if (code != CL_SUCCESS)
        return cl_failed(self, code, "clEnqueueNDRangeKernel");
    return in_order(self, s);
}

static int launch(struct library *self, const struct stream *s, cl_kernel kernel, const int64_t count[3], const size_t group[3]) {
    return launch_with(self, s, kernel, count, group, NULL);
}

/* The same for what is always the last command of a call: where the caller wants an event for the end, that of the kernel is it. */
static int last_launch(struct library *self, const struct stream *s, cl_kernel kernel, const int64_t count[3], const size_t group[3]) {
    return launch_with(self, s, kernel, count, group, s->marks ? &self->last : NULL);
}

/* Ends a call: what one that failed has started must not outlive it. */
static int leave(struct library *self, const struct stream *s, int status) {
    if (status != status_ok)
        clFinish(s->queue);
    for (int i = 0; i < memory_count; i++)
        if (self->parts[i] != NULL) {
            clReleaseMemObject(self->parts[i]); /* kept by OpenCL until the commands that use it have ended */
            self->parts[i] = NULL;
        }
    return status;
}
