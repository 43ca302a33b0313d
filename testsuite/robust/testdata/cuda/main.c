/* main.c: calls of a CUDA library in all ways, and with each call of the runtime failing. The library is for device 0; device 1 is the
 * current one all the time. */
#include "library.h"

#include <stdio.h>
#include <string.h>

enum { ours = 0, current = 1 };

enum way { in_host_memory, on_a_stream, as_a_graph, ways };

static int failures, thorough;

#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            failures++;                                                                                                \
            printf("%s:%d: %s: ", __FILE__, __LINE__, #condition);                                                     \
            printf(__VA_ARGS__);                                                                                       \
            printf("\n");                                                                                              \
        }                                                                                                              \
    } while (0)

/* The arguments of a call, with memory of their own of exactly the size that they need. */
struct call {
    const struct pipeline *of;
    const struct example *example;
    enum way way;
    cudaStream_t stream;
    struct image image[most_params];
    unsigned char scalar[most_params][scalar_bytes];
    void *at[most_params];
    void *data[most_params]; /* what belongs to the call */
};

static void on_device(int device) { CHECK(cudaSetDevice(device) == cudaSuccess, "cudaSetDevice"); }

/* Copies between host and device at once. */
static void copy(void *to, const void *from, size_t size, cudaStream_t stream) {
    on_device(ours);
    CHECK(cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, stream) == cudaSuccess, "cudaMemcpyAsync");
    cudaStreamSynchronize(stream);
    on_device(current);
}

static void fill(struct call *x, int k) {
    static unsigned char nothing[1 << 20];
    const size_t size = x->example->bytes[k];
    memset(nothing, 0x5A, size);
    copy(x->data[k], x->example->in[k] != NULL ? x->example->in[k] : nothing, size, x->stream);
}

static void prepare(struct call *x, const struct pipeline *of, int example, enum way way) {
    memset(x, 0, sizeof *x);
    x->of = of;
    x->example = &of->example[example];
    x->way = way;
    on_device(ours);
    cudaStreamCreate(&x->stream);
    on_device(current);
    for (int k = 0; k < of->params; k++) {
        if (!of->param[k].is_image) {
            if (x->example->in[k] != NULL)
                memcpy(x->scalar[k], x->example->in[k], of->param[k].bytes);
            x->at[k] = x->scalar[k];
            continue;
        }
        on_device(ours);
        if (way == in_host_memory)
            x->data[k] = malloc(x->example->bytes[k]);
        else
            cudaMalloc(&x->data[k], x->example->bytes[k]);
        on_device(current);
        fill(x, k);
        x->image[k].data = x->data[k];
        memcpy(x->image[k].extent, x->example->extent[k], sizeof x->image[k].extent);
        x->at[k] = &x->image[k];
    }
}

static void dispose(struct call *x) {
    for (int k = 0; k < x->of->params; k++) {
        if (x->way == in_host_memory)
            free(x->data[k]);
        else
            cudaFree(x->data[k]);
    }
    cudaStreamDestroy(x->stream);
}

/* The call, and the end of what it has enqueued. */
static int enqueue(const struct call *x, void *self) {
    int now = -1;

    const int status = x->way == in_host_memory ? x->of->run(self, x->at)
                       : x->way == on_a_stream  ? x->of->enqueue(self, x->stream, x->at)
                                                : x->of->graph(self, x->stream, x->at);
    const int left = runtime.until, for_good = runtime.for_good;

    runtime.until = 0;
    cudaGetDevice(&now);
    CHECK(now == current, "%s makes device %d the current one (status %d)", x->of->name, now, status);
    on_device(current);
    runtime.until = left;
    runtime.for_good = for_good;
    return status;
}

static void wait_for_end(const struct call *x) {
    on_device(ours);
    cudaStreamSynchronize(x->stream);
    on_device(current);
}

static int has_result(const struct call *x) {
    static unsigned char now[1 << 20];
    int same = 1;
    wait_for_end(x);
    for (int k = 0; k < x->of->params; k++) {
        const struct param *q = &x->of->param[k];
        const unsigned char *want = (q->direction & writes) != 0 ? x->example->want[k] : x->example->in[k];
        if (!q->is_image) {
            same = same && ((q->direction & writes) == 0 || !x->of->exact || memcmp(x->scalar[k], want, q->bytes) == 0);
            continue;
        }
        copy(now, x->data[k], x->example->bytes[k], x->stream);
        same = same && ((q->direction & writes && !x->of->exact) || memcmp(now, want, x->example->bytes[k]) == 0);
    }
    return same;
}

static void *create(void) {
    void *self = NULL;
    char message[1000];
    CHECK(subject.create_log(ours, &self, message, sizeof message) == OK, "%s: %s", subject.name, message);
    return self;
}

static int has(const struct pipeline *of, enum way way) { return way != as_a_graph || of->graph != NULL; }

static void works(void *self, const struct pipeline *of, const char *when) {
    for (int i = 0; i < ways * example_count; i++) {
        struct call x;
        if (!has(of, i % ways))
            continue;
        prepare(&x, of, i / ways, i % ways);
        const int status = enqueue(&x, self);
        CHECK(status == OK, "%s %s: status %d, %s", of->name, when, status, subject.last_error(self));
        CHECK(has_result(&x), "%s %s: wrong result of example %d in way %d", of->name, when, i / ways, i % ways);
        dispose(&x);
    }
}

/* Calls on several streams, none of which has ended when the next begins. */
static void test_streams(void) {
    enum { many = 6 };
    void *self = create();
    for (int i = 0; i < subject.pipelines; i++) {
        struct call x[many];
        const struct pipeline *of = &subject.pipeline[i];
        works(self, of, "alone");
        for (int n = 0; n < many; n++)
            prepare(&x[n], of, n % example_count, n % 2 == 0 || of->graph == NULL ? on_a_stream : as_a_graph);
        for (int n = 0; n < many; n++)
            CHECK(enqueue(&x[n], self) == OK, "%s: %s", of->name, subject.last_error(self));
        for (int n = many - 1; n >= 0; n--)
            CHECK(has_result(&x[n]), "%s: wrong result beside other streams", of->name);
        for (int n = 0; n < many; n++)
            dispose(&x[n]);
    }
    subject.destroy(self);
}

/* A call that is repeated costs one launch, one with other memory an update, one with other extents a graph of its own. */
static void test_graphs(void) {
    for (int i = 0; i < subject.pipelines; i++) {
        const struct pipeline *of = &subject.pipeline[i];
        void *self = of->graph == NULL ? NULL : create();
        struct call x[7];
        int captured = 0;
        if (self == NULL)
            continue;
        runtime.instantiated = runtime.updated = runtime.launched = runtime.captured = runtime.edges = runtime.programmatic = 0;
        for (int n = 0; n < 7; n++)
            prepare(&x[n], of, n == 6, as_a_graph);
        for (int n = 0; n < 7; n++) {
            for (int round = 0; round < 3; round++) {
                for (int k = 0; k < of->params; k++)
                    if (of->param[k].is_image)
                        fill(&x[n], k);
                CHECK(enqueue(&x[n], self) == OK, "%s: %s", of->name, subject.last_error(self));
                CHECK(has_result(&x[n]), "%s: wrong result of repetition %d of call %d", of->name, round, n);
                CHECK(round == 0 || runtime.captured == captured, "%s: repetition %d of call %d is captured", of->name, round, n);
                captured = runtime.captured;
                if (n == 0 && round == 0)
                    printf("%s: %d nodes, %d edges, %d programmatic\n", of->name, captured, runtime.edges, runtime.programmatic);
            }
        }
        CHECK(runtime.launched == 21, "%s: %d graphs launched", of->name, runtime.launched);
        CHECK(runtime.instantiated >= 4 && runtime.instantiated + runtime.updated == 7, "%s: %d graphs made, %d updated", of->name,
              runtime.instantiated, runtime.updated);
        for (int n = 0; n < 7; n++)
            dispose(&x[n]);
        subject.destroy(self);
    }
}

static int blames_the_device(int status) { return status >= BUFFER && status <= CUDA && status != WORKSPACE; }

static const cudaError_t codes[] = {cudaErrorMemoryAllocation, cudaErrorIllegalAddress};

static int failing_creation(int n, int for_good, cudaError_t code) {
    void *self = &failures;
    char message[400] = "";
    runtime_fail(n, for_good, code);
    const int status = subject.create_log(ours, &self, message, sizeof message);
    const int failed = runtime.failed, any = runtime.failed + runtime.overlooked;
    CHECK((status == OK) == (self != NULL) && (status == OK) == (message[0] == '\0'), "creation: %p, status %d, \"%s\"", self, status, message);
    CHECK(failed == 0 ? status == OK : blames_the_device(status), "call %d (%s) failed in creation; status %d", n, runtime.last, status);
    subject.destroy(self);
    runtime.until = 0;
    on_device(current);
    return any > 0;
}

static int failing_call(const struct pipeline *of, enum way way, int n, int for_good, cudaError_t code) {
    void *self = create();
    struct call x;
    prepare(&x, of, 0, way);
    runtime_fail(n, for_good, code);
    const int status = enqueue(&x, self);
    const int failed = runtime.failed, any = runtime.failed + runtime.overlooked;
    if (for_good && any > 0)
        CHECK(blames_the_device(enqueue(&x, self)), "%s, call %d (%s): a device that is gone is used", of->name, n, runtime.last);
    runtime.until = 0;
    CHECK(failed == 0 ? status == OK : blames_the_device(status), "%s, call %d (%s) failed; status %d", of->name, n, runtime.last, status);
    CHECK(status == OK || strlen(subject.last_error(self)) > 8, "%s, call %d (%s) failed without a text", of->name, n, runtime.last);
    if (status == OK && !for_good)
        CHECK(has_result(&x), "%s: wrong result although nothing that matters failed (%s)", of->name, runtime.last);
    wait_for_end(&x);
    dispose(&x);
    if (any > 0 && n % (thorough ? 1 : 7) == 0)
        works(self, of, "after a call has failed");
    subject.destroy(self);
    return any > 0;
}

static void test_failures(void) {
    int total = 0, n;
    for (int for_good = 0; for_good < 2; for_good++)
        for (int c = 0; c < (thorough ? 2 : 1); c++) {
            for (n = 1; failing_creation(n, for_good, codes[c]); n++)
                total++;
            for (int i = 0; i < ways * subject.pipelines && failures < 20; i++) {
                const struct pipeline *of = &subject.pipeline[i / ways];
                for (n = 1; has(of, i % ways) && failing_call(of, i % ways, n, for_good, codes[c]) && failures < 20; n += thorough || n < 6 ? 1 : 17)
                    total++;
                CHECK(!has(of, i % ways) || n > 3, "%s: %d calls can fail", of->name, n - 1);
            }
        }
    printf("%s: %d calls failed\n", subject.name, total);
}

static void refused(struct call *x, void *self, int want, const char *what) {
    const int status = enqueue(x, self);
    CHECK(status == want, "%s, %s: status %d, wanted %d: %s", x->of->name, what, status, want, subject.last_error(self));
    CHECK(strlen(subject.status(status)) > 8, "%s, %s: no sentence", x->of->name, what);
}

/* What is wrong about device memory; all else is refused by what the library has in common with those for other targets. */
static void spoil(void *self, const struct pipeline *of, int k, enum way way) {
    struct call x;
    void *foreign = NULL;
    const size_t size = of->example[0].bytes[k];
    prepare(&x, of, 0, way);
    x.at[k] = NULL;
    refused(&x, self, NULL_POINTER, "a null pointer");
    x.at[k] = &x.image[k];
    x.image[k].data = NULL;
    refused(&x, self, NULL_POINTER, "null data");
    x.image[k].data = malloc(size);
    refused(&x, self, BUFFER, "host memory");
    free(x.image[k].data);
    cudaMalloc(&foreign, size); /* on the current device */
    x.image[k].data = foreign;
    refused(&x, self, BUFFER, "another device's memory");
    cudaFree(foreign);
    x.image[k].data = x.data[k];
    if (of->param[k].component > 1) {
        x.image[k].data = (char *)x.data[k] + 1;
        refused(&x, self, PITCH, "an odd address");
        x.image[k].data = x.data[k];
    }
    x.image[k].extent[0] = 0;
    refused(&x, self, EXTENT, "an extent of 0");
    x.image[k].extent[0] = x.example->extent[k][0];
    for (int m = 0; m < of->params; m++)
        if (m != k && of->param[m].is_image && ((of->param[k].direction | of->param[m].direction) & writes) != 0) {
            x.image[k].data = (char *)x.data[m] + (x.example->bytes[m] - 1) / 16 * 16;
            refused(&x, self, OVERLAP, "memory of another image");
        }
    x.image[k].data = x.data[k];
    CHECK(enqueue(&x, self) == OK && has_result(&x), "%s after wrong calls: %s", of->name, subject.last_error(self));
    dispose(&x);
}

static void test_wrong_calls(void) {
    void *self = &failures;
    char message[200] = "";
    CHECK(subject.create_log(99, &self, message, sizeof message) == DEVICE && self == NULL && message[0] != '\0', "no such device");
    CHECK(subject.create_log(ours, NULL, NULL, 0) == NULL_POINTER, "null result");
    runtime.without_code = 1;
    self = &failures;
    CHECK(subject.create_log(ours, &self, message, sizeof message) == BUILD && self == NULL && message[0] != '\0', "no code");
    runtime.without_code = 0;
    on_device(current);
    self = create();
    for (int i = 0; i < subject.pipelines; i++)
        for (int k = 0; k < subject.pipeline[i].params; k++)
            for (int way = on_a_stream; way < ways; way++)
                if (subject.pipeline[i].param[k].is_image && has(&subject.pipeline[i], way))
                    spoil(self, &subject.pipeline[i], k, way);
    subject.destroy(self);
}

int main(int argc, char **argv) {
    static void (*const tests[])(void) = {test_streams, test_graphs, test_failures, test_wrong_calls};
    static const struct runtime_objects none;
    thorough = argc > 1 && strcmp(argv[1], "thorough") == 0;
    runtime.home = current;
    on_device(current);
    for (size_t i = 0; i < 2 * sizeof tests / sizeof tests[0]; i++) {
        runtime.capability = i % 2 == 0 ? 9 : 7;
        if (i % 2 == 1 && tests[i / 2] == test_failures)
            continue;
        tests[i / 2]();
        CHECK(memcmp(&runtime.objects, &none, sizeof none) == 0,
              "test %d left %d blocks of device memory, %d streams, %d events, %d graphs, %d executable ones, %d blocks of host memory", (int)i,
              runtime.objects.blocks, runtime.objects.streams, runtime.objects.events, runtime.objects.graphs, runtime.objects.executables,
              runtime.objects.allocations);
        CHECK(runtime.wrong == 0, "test %d: %d wrong calls of the runtime", (int)i, runtime.wrong);
    }
    return failures > 0;
}
