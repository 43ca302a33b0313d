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
    LIBRARY_MEMORY memory;
    void *data;
    int own; /* the memory is the library's, what lies between the lines, too */
    int shares; /* one more than the index of the image whose memory it takes, which is not in use at the same time; 0: its own */
};

static int fail(struct library *self, int status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(self->error, sizeof self->error, format, args);
    va_end(args);
    return status;
}

/* 1 where a * b is at most limit, and then the product is in *out. Neither factor is negative. */
static int product(int64_t a, int64_t b, int64_t limit, int64_t *out) {
    if (b != 0 && a > limit / b)
        return 0;
    *out = a * b;
    return 1;
}

/* Bytes of the memory of image i: those of the largest of all that take it; 0 where it takes another's. */
static int64_t memory_bytes(const struct view *image, int i, int count) {
    int64_t bytes = image[i].bytes;
    if (image[i].shares != 0)
        return 0;
    for (int k = i + 1; k < count; k++)
        if (image[k].shares == i + 1 && image[k].bytes > bytes)
            bytes = image[k].bytes;
    return bytes;
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
    if (v->lines > 1 && v->pitch / v->component > INT32_MAX)
        return fail(self, status_pitch, "%s: the pitch of %lld bytes is more than the %d components that can be handled", v->name,
                    (long long)v->pitch, (int)INT32_MAX);
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
static int narrow(struct library *self, int64_t value, const char *what, int32_t *out) {
    if (value < INT32_MIN || value > INT32_MAX)
        return fail(self, status_size, "%s is %lld, which does not fit 32 bits", what, (long long)value);
    *out = (int32_t)value;
    return status_ok;
}

/* Sets a host value that the program computes in 32 bits. */
static int set_int(struct library *self, int64_t value, const char *what, int64_t *out) {
    int32_t narrowed = 0;
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
