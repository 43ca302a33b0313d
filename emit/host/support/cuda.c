/* Takes the extents and the pitch of an image in device memory. */
static int device_shape(struct library *self, struct view *v, const LIBRARY_BUFFER *buffer) {
    if (buffer == NULL)
        return fail(self, status_null, "%s is a null pointer", v->name);
    v->pitch = buffer->pitch;
    for (int k = 0; k < v->rank; k++)
        v->extent[k] = buffer->extent[k];
    return settle(self, v);
}

/* What a pointer to device memory points to must be memory that our device reaches. */
static int device_pointer(struct library *self, const void *data, const char *name) {
    struct cudaPointerAttributes a;
    cudaError_t code = cudaPointerGetAttributes(&a, data);
    if (code != cudaSuccess)
        return cuda_failed(self, code, "cudaPointerGetAttributes");
    if (a.type == cudaMemoryTypeUnregistered || a.devicePointer == NULL)
        return fail(self, status_memory_object, "%s: the pointer is not to device memory", name);
    if (a.type == cudaMemoryTypeDevice && a.device != self->device)
        return fail(self, status_memory_object, "%s: the memory is of device %d, but the library of device %d", name, a.device,
                    self->device);
    return status_ok;
}

/* Takes an image in device memory. Kernels find it from an address on that all their accesses are aligned to. */
static int device_view(struct library *self, struct view *v, const LIBRARY_BUFFER *buffer) {
    enum { aligned = 16 };
    uintptr_t at;
    if (buffer == NULL || buffer->data == NULL)
        return fail(self, status_null, "%s is a null pointer", v->name);
    TRY(device_shape(self, v, buffer));
    at = (uintptr_t)buffer->data;
    if (at % (uintptr_t)v->component != 0)
        return fail(self, status_pitch, "%s: the address must be a multiple of the %d bytes of a component", v->name, v->component);
    if (at > UINTPTR_MAX - (uintptr_t)v->bytes)
        return fail(self, status_size, "%s is larger than the address space", v->name);
    TRY(device_pointer(self, buffer->data, v->name));
    v->offset = (int64_t)(at % aligned);
    v->memory = (char *)buffer->data - v->offset;
    return status_ok;
}

static int device_apart(struct library *self, const struct view *a, const struct view *b) {
    const uintptr_t p = (uintptr_t)a->memory + (uintptr_t)a->offset, q = (uintptr_t)b->memory + (uintptr_t)b->offset;
    if (p < q + (uintptr_t)b->bytes && q < p + (uintptr_t)a->bytes)
        return fail(self, status_overlap, "%s and %s overlap", a->name, b->name);
    return status_ok;
}

/* Makes *memory hold at least bytes; what it held before is lost. */
static int reserve(struct library *self, struct memory *memory, int64_t bytes, const char *name) {
    void *fresh = NULL;
    if (memory->buffer != NULL && memory->bytes >= bytes)
        return status_ok;
    if ((uint64_t)bytes > SIZE_MAX)
        return fail(self, status_size, "%s is larger than the address space", name);
    if (memory->buffer != NULL)
        cudaFree(memory->buffer); /* after the kernels that use it */
    memory->buffer = NULL;
    memory->bytes = 0;
    if (cudaMalloc(&fresh, (size_t)bytes) != cudaSuccess) {
        cudaGetLastError();
        return fail(self, status_device_memory, "no device memory for the %lld bytes of %s", (long long)bytes, name);
    }
    memory->buffer = fresh;
    memory->bytes = bytes;
    return status_ok;
}

/* Bytes from the start of a temporary image in a workspace to that of the next. */
static int64_t room_for(int64_t bytes) {
    return (bytes + 255) / 256 * 256;
}

static int take_workspace(struct library *self, void *memory, int64_t bytes, int64_t needed, struct workspace *out) {
    if (memory == NULL)
        return fail(self, status_null, "the workspace is a null pointer");
    if ((uintptr_t)memory % 256 != 0)
        return fail(self, status_workspace, "the workspace must start at a multiple of 256 bytes");
    if (bytes < needed)
        return fail(self, status_workspace, "the workspace has %lld bytes, but %lld are needed", (long long)bytes,
                    (long long)needed);
    TRY(device_pointer(self, memory, "the workspace"));
    out->memory = memory;
    return status_ok;
}

/* Gives images their memory, in the workspace or, without one, in memory of ours. */
static int temporaries(struct library *self, struct stream *s, struct view *image, int first, int count,
                       const struct workspace *room) {
    int64_t at = 0;
    for (int i = first; i < count; i++) {
        const int64_t bytes = memory_bytes(image, i, count);
        if (bytes == 0) { /* a level that is not there, or one that takes another's */
            if (image[i].shares != 0)
                image[i].memory = image[image[i].shares - 1].memory;
            continue;
        }
        if (room != NULL) {
            s->workspace = room->memory;
            image[i].memory = room->memory + at;
            at += room_for(bytes);
            continue;
        }
        s->ours = 1;
        TRY(reserve(self, &self->memory[i], bytes, image[i].name));
        image[i].memory = self->memory[i].buffer;
    }
    return status_ok;
}

static int fill_zero(struct library *self, const struct stream *s, const struct view *v) {
    char *const at = v->memory + v->offset;
    const struct use use = {v->memory, 0, 1};
    int follows;
    TRY(order(self, s, &use, 1, &follows));
    if (v->pitch == v->line || v->lines == 1)
        CUDA(cudaMemsetAsync(at, 0, (size_t)v->bytes, s->stream), "cudaMemsetAsync");
    else /* the bytes between the lines are the caller's */
        CUDA(cudaMemset2DAsync(at, (size_t)v->pitch, 0, (size_t)v->line, (size_t)v->lines, s->stream), "cudaMemset2DAsync");
    return record(self, s, &use, 1, 0);
}

/* Which of our sets of zeros a workspace has: calls whose workspaces are apart may run at the same time. -1 where others have them all. */
static int set_of(struct library *self, const char *workspace) {
    for (int i = 1; i < kept_sets; i++) {
        if (self->workspaces[i] == NULL)
            self->workspaces[i] = workspace;
        if (self->workspaces[i] == workspace)
            return i;
    }
    return -1;
}

/* Takes an image that calls find and leave as zeros: one of ours or, as a last resort, in the caller's workspace, which may hold anything and is
 * cleared. In a graph that takes longer than most kernels. */
static int take_kept(struct library *self, const struct stream *s, struct view *v, int number) {
    const int set = s->ours ? 0 : set_of(self, s->workspace);
    if (set < 0)
        return fill_zero(self, s, v);
    v->memory = self->kept + (int64_t)set * kept_bytes + kept_at[number];
    return status_ok;
}

/* Copies lines between any two memories. */
static int copy_lines(struct library *self, const struct stream *s, void *to, int64_t to_pitch, const void *from,
                      int64_t from_pitch, const struct view *shape) {
    if (shape->lines == 1 || (to_pitch == shape->line && from_pitch == shape->line))
        CUDA(cudaMemcpyAsync(to, from, (size_t)(shape->line * shape->lines), cudaMemcpyDefault, s->stream), "cudaMemcpyAsync");
    else
        CUDA(cudaMemcpy2DAsync(to, (size_t)to_pitch, from, (size_t)from_pitch, (size_t)shape->line, (size_t)shape->lines,
                               cudaMemcpyDefault, s->stream), "cudaMemcpy2DAsync");
    return status_ok;
}

/* Copies between images of equal extents in device memory. */
static int move_lines(struct library *self, const struct stream *s, const struct view *from, const struct view *to) {
    const struct use uses[2] = {{from->memory, 0, 0}, {to->memory, 0, 1}};
    int follows;
    TRY(order(self, s, uses, 2, &follows));
    TRY(copy_lines(self, s, to->memory + to->offset, to->pitch, from->memory + from->offset, from->pitch, from));
    return record(self, s, uses, 2, 0);
}

/* Copies between host and device, line by line where the pitches differ. */
static int transfer(struct library *self, const struct stream *s, const struct view *host, const struct view *device, int up) {
    char *const on_device = device->memory + device->offset;
    if (up) {
        TRY(copy_lines(self, s, on_device, device->pitch, host->data, host->pitch, host));
        if (device->pitch > device->line && device->lines > 1) /* kernels may load, not use, the rest of a word that a line ends in */
            CUDA(cudaMemset2DAsync(on_device + device->line, (size_t)device->pitch, 0, (size_t)(device->pitch - device->line),
                                   (size_t)(device->lines - 1), s->stream), "cudaMemset2DAsync");
        return status_ok;
    }
    return copy_lines(self, s, host->data, host->pitch, on_device, device->pitch, host);
}

/* Whether kernels may have the one pixel of an image at an address as well as in memory of ours: as well aligned, with no other image of the
 * call there, and in words that updates of smaller pixels do not reach beyond. */
static int may_be_at(const struct view *image, int count, const struct view *v, uintptr_t at) {
    const uintptr_t aligned = v->lanes == 1 ? (uintptr_t)v->component : 16;
    if (v->component < 4 || at % aligned != 0 || at > UINTPTR_MAX - (uintptr_t)v->bytes)
        return 0;
    for (int i = 0; i < count; i++) {
        const uintptr_t other = (uintptr_t)image[i].memory + (uintptr_t)image[i].offset;
        if (&image[i] != v && image[i].memory != NULL && at < other + (uintptr_t)image[i].bytes && other < at + (uintptr_t)v->bytes)
            return 0;
    }
    return 1;
}

/* Has kernels compute a value where the caller wants it, if that is in memory of our device: fetch need not copy it then. */
static int result_in_place(struct library *self, struct view *image, int count, int index, void *to) {
    struct cudaPointerAttributes a;
    cudaError_t code;
    if (!may_be_at(image, count, &image[index], (uintptr_t)to))
        return status_ok;
    code = cudaPointerGetAttributes(&a, to);
    if (code == cudaErrorInvalidValue) { /* before CUDA 11: memory that CUDA does not know */
        cudaGetLastError();
        return status_ok;
    }
    if (code != cudaSuccess)
        return cuda_failed(self, code, "cudaPointerGetAttributes");
    if (a.type == cudaMemoryTypeDevice && a.device == self->device) {
        image[index].memory = to;
        image[index].offset = 0;
    }
    return status_ok;
}

/* Copies the one pixel of an image to the caller, unless it is there; unless it waits, the value is there when the stream has come to this. */
static int fetch(struct library *self, const struct stream *s, const struct view *v, void *to, int waits) {
    if (v->memory + v->offset != (const char *)to)
        CUDA(cudaMemcpyAsync(to, v->memory + v->offset, (size_t)v->line, cudaMemcpyDefault, s->stream), "cudaMemcpyAsync");
    if (waits)
        CUDA(cudaStreamSynchronize(s->stream), "cudaStreamSynchronize");
    return status_ok;
}

/* Any stream will do: a wrong one fails when something is enqueued. */
static int take_stream(struct stream *s, cudaStream_t stream) {
    s->stream = stream;
    s->previous = 0;
    s->ours = 0;
    s->workspace = NULL;
    s->capture = NULL;
    return status_ok;
}

/* Makes our device the current one of the thread. */
static int enter(struct library *self, struct stream *s) {
    CUDA(cudaGetDevice(&s->previous), "cudaGetDevice");
    if (s->previous != self->device)
        CUDA(cudaSetDevice(self->device), "cudaSetDevice");
    return status_ok;
}

/* The stream of calls with host memory. */
static int take_own(struct library *self, struct stream *s) {
    TRY(take_stream(s, self->stream));
    return enter(self, s);
}

/* Lets what follows on the stream wait for the last call that used our memory. */
static int begin(struct library *self, const struct stream *s) {
    if (s->ours && self->is_busy)
        CUDA(cudaStreamWaitEvent(s->stream, self->busy, 0), "cudaStreamWaitEvent");
    return status_ok;
}

/* Marks the end of a call that uses our memory, for the next one. */
static int end(struct library *self, const struct stream *s) {
    if (s->ours) {
        CUDA(cudaEventRecord(self->busy, s->stream), "cudaEventRecord");
        self->is_busy = 1;
    }
    return status_ok;
}

static int finish(struct library *self, const struct stream *s) {
    CUDA(cudaStreamSynchronize(s->stream), "cudaStreamSynchronize");
    return status_ok;
}

/* A launch in the making. */
struct kernel {
    int index;
    void *args[max_arguments];
    union {
        char bytes[32];
        int64_t word;
        double number;
    } values[max_arguments];
    struct use uses[max_arguments];
    int use_count;
};

static struct kernel *kernel_at(struct kernel *kernel, int index) {
    kernel->index = index;
    kernel->use_count = 0;
    return kernel;
}

/* Sets one argument of a kernel. */
static int arg(struct library *self, struct kernel *kernel, int index, size_t size, const void *value) {
    (void)self;
    memcpy(kernel->values[index].bytes, value, size);
    kernel->args[index] = kernel->values[index].bytes;
    return status_ok;
}

/* Memory that the kernel reads. */
static int memory_arg(struct library *self, struct kernel *kernel, int index, const struct view *v) {
    const struct use use = {v->memory, 0, 0};
    kernel->uses[kernel->use_count++] = use;
    return arg(self, kernel, index, sizeof v->memory, &v->memory);
}

/* Memory that it writes, and may read. */
static int written_arg(struct library *self, struct kernel *kernel, int index, const struct view *v) {
    TRY(memory_arg(self, kernel, index, v));
    kernel->uses[kernel->use_count - 1].writes = 1;
    return status_ok;
}

static int int_arg(struct library *self, struct kernel *kernel, int index, int64_t value, const char *what) {
    int32_t narrowed = 0;
    TRY(narrow(self, value, what, &narrowed));
    return arg(self, kernel, index, sizeof narrowed, &narrowed);
}

static int long_arg(struct library *self, struct kernel *kernel, int index, int64_t value) {
    return arg(self, kernel, index, sizeof value, &value);
}

/* Runs a grid of blocks. Where the device can, it starts while the kernel before it ends. */
static int launch_grid(struct library *self, const struct stream *s, struct kernel *kernel, const size_t blocks[3], const size_t group[3]) {
    const void *const function = LIBRARY_KERNEL(kernel->index);
    dim3 grid, block;
    int follows; /* what is on the device, or the one kernel that this one waits for */
    grid.x = (unsigned)blocks[0], grid.y = (unsigned)blocks[1], grid.z = (unsigned)blocks[2];
    block.x = (unsigned)group[0], block.y = (unsigned)group[1], block.z = (unsigned)group[2];
    TRY(order(self, s, kernel->uses, kernel->use_count, &follows));
#if CUDART_VERSION >= 11080
    if (self->overlaps && follows) {
        cudaLaunchAttribute overlap;
        cudaLaunchConfig_t config;
        memset(&overlap, 0, sizeof overlap);
        overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        overlap.val.programmaticStreamSerializationAllowed = 1;
        memset(&config, 0, sizeof config);
        config.gridDim = grid;
        config.blockDim = block;
        config.dynamicSmemBytes = LIBRARY_POOL;
        config.stream = s->stream;
        config.attrs = &overlap;
        config.numAttrs = 1;
        CUDA(cudaLaunchKernelExC(&config, function, kernel->args), "cudaLaunchKernelExC");
        return record(self, s, kernel->uses, kernel->use_count, 1);
    }
#endif
    CUDA(cudaLaunchKernel(function, grid, block, kernel->args, LIBRARY_POOL, s->stream), "cudaLaunchKernel");
    return record(self, s, kernel->uses, kernel->use_count, 1);
}

/* Runs a kernel for at least count[0] x count[1] x count[2] threads, part by part where that is more blocks than a grid may have. */
static int launch(struct library *self, const struct stream *s, struct kernel *kernel, const int64_t count[3],
                  const size_t group[3]) {
    enum { most = 65535 }; /* blocks in any dimension but the first */
    const int first = grid_first[kernel->index];
    size_t blocks[3], part[3];
    for (int k = 0; k < 3; k++) {
        TRY(items(self, count[k], group[k], &blocks[k]));
        blocks[k] /= group[k];
        if (blocks[k] == 0)
            return status_ok; /* nothing to do */
    }
    if (first == counts_on && blocks[1] > most) { /* by as few blocks as that takes: those beyond the last row must not be far from it */
        blocks[2] = (blocks[1] + most - 1) / most;
        blocks[1] = (blocks[1] + blocks[2] - 1) / blocks[2];
    }
    if (first < 0 && (blocks[1] > most || blocks[2] > most))
        return fail(self, status_size, "an iteration of %lld x %lld x %lld instances is too large", (long long)count[2],
                    (long long)count[1], (long long)count[0]);
    part[0] = blocks[0];
    for (size_t z = 0; z < blocks[2]; z += most)
        for (size_t y = 0; y < blocks[1]; y += most) {
            const int32_t at[2] = {(int32_t)y, (int32_t)z};
            part[1] = blocks[1] - y < most ? blocks[1] - y : most;
            part[2] = blocks[2] - z < most ? blocks[2] - z : most;
            if (first >= 0)
                TRY(arg(self, kernel, first, sizeof at, at));
            TRY(launch_grid(self, s, kernel, part, group));
        }
    return status_ok;
}

/* Ends a call: what one that failed has started must not outlive it. */
static int leave(struct library *self, const struct stream *s, int status) {
    if (status != status_ok)
        cudaStreamSynchronize(s->stream);
    if (s->previous != self->device)
        cudaSetDevice(s->previous);
    return status;
}
