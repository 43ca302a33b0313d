/* calls.c: calls of any pipeline with arguments that fit, and what they have to leave behind. */
#include "robust.h"

enum { gap_byte = 0x5A };

static unsigned char *wanted_now[8][example_count][most_params]; /* of pipelines whose first results count */

static const unsigned char *wanted(const struct call *x, int k) {
    const ptrdiff_t p = x->of - subject.pipeline, e = x->example - x->of->example;
    return p < 8 && wanted_now[p][e][k] != NULL ? wanted_now[p][e][k] : x->example->want[k];
}

/* The number of lines of an image, and the bytes of one. */
static int64_t lines_of(const struct param *q, const int64_t *extent, int64_t *line) {
    int64_t lines = 1;
    *line = (int64_t)q->component * q->lanes;
    for (int k = 0; k < q->rank; k++)
        *(k <= q->line_axis ? &lines : line) *= extent[k];
    return lines;
}

static int64_t pitch_of(const struct call *x, const struct param *q, const int64_t *extent) {
    int64_t line;
    lines_of(q, extent, &line);
    return q->line_axis < 0 ? line : line + x->padding * q->component;
}

/* The bytes from the first pixel to behind the last. */
static size_t span_of(const struct call *x, int k) {
    const struct param *q = &x->of->param[k];
    int64_t line, lines = lines_of(q, x->example->extent[k], &line);
    return (size_t)((lines - 1) * pitch_of(x, q, x->example->extent[k]) + line);
}

/* Spreads packed lines over memory with gaps, which keep what is in them, or compares the two. */
static int each_line(const struct call *x, int k, unsigned char *memory, const unsigned char *packed, int compare) {
    const struct param *q = &x->of->param[k];
    int64_t line, lines = lines_of(q, x->example->extent[k], &line), pitch = pitch_of(x, q, x->example->extent[k]);
    for (int64_t i = 0; i < lines; i++) {
        unsigned char *at = memory + i * pitch;
        if (!compare)
            memcpy(at, packed + i * line, (size_t)line);
        else if (memcmp(at, packed + i * line, (size_t)line) != 0)
            return 0;
        for (int64_t j = line; compare && i + 1 < lines && j < pitch; j++)
            if (at[j] != gap_byte)
                return 0;
    }
    return 1;
}

static void *need(void *block) {
    if (block == NULL)
        abort();
    return block;
}

static void prepare_image(struct call *x, int k, const struct place *p) {
    const size_t size = span_of(x, k);
    const int64_t *extent = x->example->extent[k];
    const struct param *q = &x->of->param[k];
    cl_int code = CL_SUCCESS;
    x->data[k] = need(malloc(size));
    memset(x->data[k], gap_byte, size);
    if (x->example->in[k] != NULL)
        each_line(x, k, x->data[k], x->example->in[k], 0);
    memcpy(x->image[k].extent, extent, sizeof x->image[k].extent);
    memcpy(x->buffer[k].extent, extent, sizeof x->buffer[k].extent);
    x->image[k].pitch = x->buffer[k].pitch = x->padding == 0 ? 0 : pitch_of(x, q, extent);
    x->image[k].data = x->data[k];
    x->at[k] = &x->image[k];
    if (!x->on_device)
        return;
    x->memory[k] = need(clCreateBuffer(p->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, x->data[k], &code));
    x->buffer[k].memory = x->memory[k];
    x->at[k] = &x->buffer[k];
}

void prepare(struct call *x, const struct pipeline *of, int example, int on_device, int gap, const struct place *p) {
    memset(x, 0, sizeof *x);
    x->of = of;
    x->example = &of->example[example];
    x->on_device = on_device;
    x->padding = gap;
    for (int k = 0; k < of->params; k++) {
        if (of->param[k].is_image) {
            prepare_image(x, k, p);
            continue;
        }
        memset(x->scalar[k], gap_byte, sizeof x->scalar[k]);
        if (x->example->in[k] != NULL)
            memcpy(x->scalar[k], x->example->in[k], of->param[k].bytes);
        x->at[k] = x->scalar[k];
    }
}

void dispose(struct call *x) {
    for (int k = 0; k < x->of->params; k++) {
        free(x->data[k]);
        if (x->memory[k] != NULL)
            clReleaseMemObject(x->memory[k]);
    }
}

int run_call(const struct call *x, void *self) { return x->of->run(self, x->at); }

int enqueue_call(const struct call *x, void *self, cl_command_queue queue, cl_event *done) {
    return x->of->enqueue(self, queue, x->at, 0, NULL, done);
}

int perform(const struct call *x, void *self, const struct place *p) {
    int status;
    if (!x->on_device)
        return run_call(x, self);
    status = enqueue_call(x, self, p->queue, NULL);
    clFinish(p->queue);
    return status;
}

/* The memory of an image as it is now. */
static unsigned char *fetched(const struct call *x, int k, const struct place *p) {
    const size_t size = span_of(x, k);
    unsigned char *now = need(malloc(size));
    if (!x->on_device)
        memcpy(now, x->data[k], size);
    else if (clEnqueueReadBuffer(p->queue, x->memory[k], CL_TRUE, 0, size, now, 0, NULL, NULL) != CL_SUCCESS)
        memset(now, 0xEE, size);
    return now;
}

/* Compares everything with what should be there: results, or what was there before. */
static int agrees(const struct call *x, int results, const struct place *p) {
    int same = 1;
    for (int k = 0; k < x->of->params; k++) {
        const struct param *q = &x->of->param[k];
        const int is_result = results && (q->direction & writes) != 0;
        const unsigned char *want = is_result ? wanted(x, k) : x->example->in[k];
        if (q->is_image) {
            unsigned char *now = fetched(x, k, p);
            if (want != NULL) {
                same = each_line(x, k, now, want, 1) && same;
            } else {
                for (size_t i = 0; i < span_of(x, k); i++)
                    same = now[i] == gap_byte && same;
            }
            free(now);
        } else if (want != NULL) {
            same = memcmp(x->scalar[k], want, q->bytes) == 0 && same;
        } else {
            for (size_t i = 0; i < scalar_bytes; i++)
                same = x->scalar[k][i] == gap_byte && same;
        }
    }
    return same;
}

int has_result(const struct call *x, const struct place *p) { return agrees(x, 1, p); }

int is_untouched(const struct call *x, const struct place *p) { return agrees(x, 0, p); }

void *create(const struct place *p) {
    void *self = NULL;
    char message[1000];
    CHECK(subject.create_log(p->context, p->device, &self, message, sizeof message) == OK, "%s: %s", subject.name, message);
    return self;
}

void works(void *self, const struct pipeline *of, const struct place *p, const char *when) {
    for (int i = 0; i < 2 * example_count; i++) {
        struct call x;
        prepare(&x, of, i / 2, i % 2, 0, p);
        const int status = perform(&x, self, p);
        CHECK(status == OK, "%s, %s: status %d, %s", of->name, when, status, subject.last_error(self));
        CHECK(has_result(&x, p), "%s, %s: wrong result of example %d %s", of->name, when, i / 2, i % 2 ? "in device memory" : "in host memory");
        dispose(&x);
    }
}

/* Packs an image's lines. */
static unsigned char *packed(const struct call *x, int k, const unsigned char *memory) {
    const struct param *q = &x->of->param[k];
    int64_t line, lines = lines_of(q, x->example->extent[k], &line), pitch = pitch_of(x, q, x->example->extent[k]);
    unsigned char *out = need(malloc((size_t)(lines * line)));
    for (int64_t i = 0; i < lines; i++)
        memcpy(out + i * line, memory + i * pitch, (size_t)line);
    return out;
}

void settle_wanted(void) {
    void *self = create(&place);
    for (int i = 0; self != NULL && i < subject.pipelines && i < 8; i++) {
        const struct pipeline *of = &subject.pipeline[i];
        for (int e = 0; !of->exact && e < example_count; e++) {
            struct call x;
            prepare(&x, of, e, 0, 0, &place);
            CHECK(run_call(&x, self) == OK, "%s: %s", of->name, subject.last_error(self));
            for (int k = 0; k < of->params; k++)
                if ((of->param[k].direction & writes) != 0 && of->param[k].is_image)
                    wanted_now[i][e][k] = packed(&x, k, x.data[k]);
            dispose(&x);
        }
    }
    subject.destroy(self);
}
