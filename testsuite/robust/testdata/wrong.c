/* wrong.c: every argument of every function is made wrong, alone and together with others. The call must be refused with the right
 * status and a sentence, and change nothing. */
#include "robust.h"

static void *self;

/* Calls with one argument spoiled. Where want is negative any status but OK will do. */
static void refused(struct call *x, const char *what, const char *name, int want) {
    cl_event done = NULL;
    const int status = x->on_device ? enqueue_call(x, self, place.queue, &done) : run_call(x, self);
    clFinish(place.queue);
    const char *where = x->on_device ? "enqueue" : "run";
    CHECK(want < 0 ? status != OK : status == want, "%s_%s, %s of %s: status %d, wanted %d: %s", x->of->name, where, what, name, status, want,
          subject.last_error(self));
    CHECK(done == NULL, "%s_%s, %s of %s: an event", x->of->name, where, what, name);
    if (done != NULL) {
        clReleaseEvent(done);
        shim.objects.events--;
    }
    CHECK(strlen(subject.status(status)) > 8 && strlen(subject.last_error(self)) > 8, "%s: %s of %s: no sentence", x->of->name, what, name);
    CHECK(is_untouched(x, &place), "%s_%s, %s of %s changed something", x->of->name, where, what, name);
}

/* The extents, pitch and memory of an image, wherever it lies. */
static int64_t *extent_of(struct call *x, int k) { return x->on_device ? x->buffer[k].extent : x->image[k].extent; }
static int64_t *pitch_of(struct call *x, int k) { return x->on_device ? &x->buffer[k].pitch : &x->image[k].pitch; }

#define SPOILED(what, want, change)                                                                                    \
    do {                                                                                                               \
        struct call x;                                                                                                 \
        prepare(&x, of, 0, on_device, 0, &place);                                                                      \
        change;                                                                                                        \
        refused(&x, what, q->name, want);                                                                              \
        dispose(&x);                                                                                                   \
    } while (0)

static void spoil_extents(const struct pipeline *of, int k, int on_device) {
    static const int64_t never[] = {0, -1, -7, INT32_MIN, -(INT64_C(1) << 40), INT64_MIN, INT64_MIN + 1};
    static const int64_t large[] = {(INT64_C(1) << 30) + 1, INT64_C(1) << 31, INT64_C(1) << 32, INT64_C(1) << 62, INT64_MAX};
    const struct param *q = &of->param[k];
    for (int axis = 0; axis < q->rank; axis++) {
        for (size_t i = 0; i < sizeof never / sizeof never[0]; i++)
            SPOILED("a negative extent", EXTENT, extent_of(&x, k)[axis] = never[i]);
        for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
            SPOILED("a huge extent", SIZE, extent_of(&x, k)[axis] = large[i]);
        if ((q->binds >> axis & 1) == 0) {
            SPOILED("an extent one too large", EXTENT, extent_of(&x, k)[axis]++);
            SPOILED("an extent with other high bits", SIZE, extent_of(&x, k)[axis] += INT64_C(1) << 32);
        }
        if (on_device)
            SPOILED("an extent beyond the buffer", EXTENT, extent_of(&x, k)[axis] = 1 << 20);
    }
}

static void spoil_pitch(const struct pipeline *of, int k, int on_device) {
    const struct param *q = &of->param[k];
    if (q->line_axis < 0)
        return;
    SPOILED("a pitch of 1", PITCH, *pitch_of(&x, k) = 1);
    SPOILED("a negative pitch", PITCH, *pitch_of(&x, k) = -1);
    SPOILED("the least pitch", PITCH, *pitch_of(&x, k) = INT64_MIN);
    SPOILED("the greatest pitch", -1, *pitch_of(&x, k) = INT64_MAX);
    SPOILED("a pitch near 2^62", SIZE, *pitch_of(&x, k) = INT64_C(1) << 62);
    if (q->component > 1)
        SPOILED("an odd pitch", PITCH, *pitch_of(&x, k) = (INT64_C(1) << 20) + 1);
}

static void spoil_buffer(const struct pipeline *of, int k, int on_device) {
    const struct param *q = &of->param[k];
    cl_mem foreign;
    cl_int code;
    if (!on_device)
        return;
    SPOILED("null memory", NULL_POINTER, x.buffer[k].memory = NULL);
    SPOILED("an offset of a byte", q->component > 1 ? PITCH : EXTENT, x.buffer[k].offset = 1);
    SPOILED("an offset behind the last pixel", EXTENT, x.buffer[k].offset = (int64_t)x.example->bytes[k]);
    SPOILED("a negative offset", PITCH, x.buffer[k].offset = -q->component);
    SPOILED("the least offset", PITCH, x.buffer[k].offset = INT64_MIN);
    SPOILED("the greatest offset", -1, x.buffer[k].offset = INT64_MAX);
    foreign = clCreateBuffer(place.other, CL_MEM_READ_WRITE, of->example[0].bytes[k], NULL, &code);
    SPOILED("a buffer of another context", BUFFER, x.buffer[k].memory = foreign);
    clReleaseMemObject(foreign);
    if (of->example[0].bytes[k] > (size_t)q->component) {
        cl_mem shorter = clCreateBuffer(place.context, CL_MEM_READ_WRITE, of->example[0].bytes[k] - 1, NULL, &code);
        SPOILED("a buffer that is a byte too small", EXTENT, x.buffer[k].memory = shorter);
        clReleaseMemObject(shorter);
    }
    cl_mem closed = clCreateBuffer(place.context, (q->direction & writes) != 0 ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY,
                                   of->example[0].bytes[k], NULL, &code);
    SPOILED("a buffer whose flags forbid the use", BUFFER, x.buffer[k].memory = closed);
    clReleaseMemObject(closed);
}

/* An object that is no buffer: kernels would take it for one. */
static void spoil_kind(const struct pipeline *of, int k, int on_device) {
    const struct param *q = &of->param[k];
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
    cl_image_desc shape;
    cl_bool has_images = CL_FALSE;
    cl_int code;
    clGetDeviceInfo(place.device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL);
    if (!on_device || !has_images)
        return;
    memset(&shape, 0, sizeof shape);
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = shape.image_height = 256;
    cl_mem picture = clCreateImage(place.context, CL_MEM_READ_WRITE, &format, &shape, NULL, &code);
    if (picture == NULL)
        return;
    SPOILED("an OpenCL image", BUFFER, x.buffer[k].memory = picture);
    clReleaseMemObject(picture);
}

/* One image over another, wholly and by a component, where one of the two is written. */
static void spoil_place(const struct pipeline *of, int k, int on_device) {
    const struct param *q = &of->param[k];
    for (int m = 0; m < of->params; m++) {
        const struct param *r = &of->param[m];
        if (m == k || !r->is_image || ((q->direction | r->direction) & writes) == 0)
            continue;
        const size_t bytes[2] = {of->example[0].bytes[k], of->example[0].bytes[m]};
        if (on_device) {
            cl_int code;
            cl_mem both = clCreateBuffer(place.context, CL_MEM_READ_WRITE, bytes[0] + bytes[1] + 16, NULL, &code);
            const int64_t last = ((int64_t)bytes[1] - 1) / q->component * q->component; /* the last pixel of the other, or less */
            SPOILED("the same buffer", OVERLAP, (x.buffer[k].memory = x.buffer[m].memory = both));
            SPOILED("a buffer from the other's end on", OVERLAP, (x.buffer[k].memory = x.buffer[m].memory = both, x.buffer[k].offset = last));
            clReleaseMemObject(both);
        } else {
            SPOILED("the same memory", OVERLAP, x.image[k].data = x.image[m].data);
            SPOILED("memory up to the other's first byte", OVERLAP, x.image[k].data = (char *)x.image[m].data - (bytes[0] - 1));
            SPOILED("memory from the other's last byte on", OVERLAP, x.image[k].data = (char *)x.image[m].data + (bytes[1] - 1));
        }
    }
}

static void spoil(const struct pipeline *of, int k, int on_device) {
    const struct param *q = &of->param[k];
    if (!q->by_value)
        SPOILED("a null pointer", NULL_POINTER, x.at[k] = NULL);
    if (!q->is_image)
        return;
    if (!on_device) {
        SPOILED("null data", NULL_POINTER, x.image[k].data = NULL);
        SPOILED("memory at the end of the address space", -1, x.image[k].data = (void *)(UINTPTR_MAX - 1));
    }
    spoil_extents(of, k, on_device);
    spoil_pitch(of, k, on_device);
    spoil_buffer(of, k, on_device);
    spoil_kind(of, k, on_device);
    spoil_place(of, k, on_device);
}

static void spoil_queue(const struct pipeline *of) {
    struct call x;
    cl_event none[2] = {NULL, NULL}, done = NULL;
    int status;
    prepare(&x, of, 0, 1, 0, &place);
    CHECK(of->enqueue(NULL, place.queue, x.at, 0, NULL, &done) == NULL_POINTER, "%s: a null library", of->name);
    CHECK(of->enqueue(self, NULL, x.at, 0, NULL, &done) == NULL_POINTER, "%s: a null queue", of->name);
    CHECK(of->enqueue(self, place.foreign, x.at, 0, NULL, &done) == QUEUE, "%s: a queue of another context", of->name);
    CHECK(of->enqueue(self, place.queue, x.at, 1, NULL, &done) == NULL_POINTER, "%s: a null list of one event", of->name);
    CHECK(of->enqueue(self, place.queue, x.at, UINT32_MAX, NULL, &done) == NULL_POINTER, "%s: a null list of events", of->name);
    status = of->enqueue(self, place.queue, x.at, 2, none, &done);
    CHECK(status != OK, "%s: a list of null events", of->name);
    CHECK(done == NULL && is_untouched(&x, &place), "%s: a wrong queue or event changed something", of->name);
    for (int k = 0; k < of->params; k++)
        if (!of->param[k].by_value)
            x.at[k] = NULL;
    CHECK(of->enqueue(NULL, NULL, x.at, 7, NULL, NULL) == NULL_POINTER, "%s_enqueue: null everything", of->name);
    CHECK(of->run(NULL, x.at) == NULL_POINTER, "%s_run: null everything", of->name);
    if (of->params > 0)
        CHECK(of->run(self, x.at) == NULL_POINTER, "%s_run: null everything but the library", of->name);
    dispose(&x);
}

static uint64_t state = 88172645463325252u;

static int64_t among(int64_t n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)(state >> 11) % n;
}

/* Any combination of odd values for images in device memory. What is accepted must lie inside its buffers, so nothing else can
 * change; what is refused must change nothing. */
static void random_calls(const struct pipeline *of, int count) {
    static const int64_t odd[] = {0, 1, 2, 3, 4, 5, 7, 8, 16, 23, 64, 128, -1, -4, 1 << 20, 1 << 30, INT64_C(1) << 31, INT64_C(1) << 62, INT64_MAX, INT64_MIN};
    const int odd_count = (int)(sizeof odd / sizeof odd[0]);
    int accepted = 0;
    for (int n = 0; n < count && failures < 20; n++) {
        struct call x;
        int status;
        prepare(&x, of, 0, 1, 0, &place);
        for (int changes = 1 + (int)among(3); changes > 0; changes--) {
            const int k = (int)among(of->params);
            const int64_t v = odd[among(odd_count)];
            if (!of->param[k].is_image)
                continue;
            switch (among(4)) {
            case 0: x.buffer[k].offset = v; break;
            case 1: x.buffer[k].pitch = v; break;
            case 2: x.buffer[k].memory = x.memory[among(of->params)]; break;
            default: x.buffer[k].extent[among(most_axes)] = v; break;
            }
        }
        status = perform(&x, self, &place);
        if (status == OK)
            accepted++;
        else
            CHECK(is_untouched(&x, &place), "%s: a refused call changed something (%s)", of->name, subject.last_error(self));
        dispose(&x);
    }
    printf("%s: %d of %d random calls are accepted\n", of->name, accepted, count);
}

static void spoil_creation(void) {
    void *made = &place;
    char message[200] = "before";
    CHECK(subject.create_log(NULL, place.device, &made, NULL, 0) == NULL_POINTER && made == NULL, "null context");
    made = &place;
    CHECK(subject.create_log(place.context, NULL, &made, NULL, 100) == NULL_POINTER && made == NULL, "null device");
    CHECK(subject.create_log(place.context, place.device, NULL, message, sizeof message) == NULL_POINTER, "null result");
    CHECK(subject.create_log(NULL, NULL, NULL, NULL, 0) == NULL_POINTER, "null everything");
    CHECK(subject.create_log(NULL, NULL, &made, message, sizeof message) == NULL_POINTER && strlen(message) > 8, "no message");
    CHECK(strlen(subject.status(-1)) > 8 && strlen(subject.status(INT32_MAX)) > 8 && strlen(subject.status(INT32_MIN)) > 8, "no sentence");
    CHECK(strcmp(subject.last_error(NULL), "") == 0, "an error of a null library");
    subject.destroy(NULL);
    subject.destroy(NULL);
}

void test_wrong_calls(void) {
    spoil_creation();
    self = create(&place);
    if (self == NULL)
        return;
    CHECK(strcmp(subject.last_error(self), "") == 0, "an error before any call");
    for (int i = 0; i < subject.pipelines && failures < 20; i++) {
        const struct pipeline *of = &subject.pipeline[i];
        for (int k = 0; k < of->params && failures < 20; k++)
            for (int on_device = 0; on_device < 2; on_device++)
                spoil(of, k, on_device);
        spoil_queue(of);
        random_calls(of, thorough ? 1000 : 100);
        works(self, of, &place, "after wrong calls");
        for (int on_device = 0; on_device < 2; on_device++) { /* with bytes between the lines */
            struct call x;
            prepare(&x, of, 1, on_device, 3, &place);
            CHECK(perform(&x, self, &place) == OK, "%s with gaps: %s", of->name, subject.last_error(self));
            CHECK(has_result(&x, &place), "%s with gaps: wrong result", of->name);
            dispose(&x);
        }
    }
    subject.destroy(self);
}
