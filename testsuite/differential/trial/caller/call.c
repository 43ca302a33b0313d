/* Calls of a generated library with images that lie anywhere in device memory. Built into its demo program, before the demo's own main:
 *
 *     demo_program --calls ARGUMENTS RESULTS
 *
 * reads calls from a file, one after the other, and writes all bytes of the memory of every argument after each. What says what they are is
 * written for each program by package trial: call_enqueue and call_graph, which take the number of a pipeline. */

enum { most_arguments = 64, most_axes = 4 };
enum sort { is_image, is_scalar, is_result }; /* is_result: a scalar that is computed on the device, which writes it to its memory */

/* As the file has it, before the bytes. */
struct argument {
    int64_t sort, size;
    int64_t offset, pitch, extent[most_axes]; /* of an image: where its first pixel lies, in bytes, and where from there on */
};

struct call {
    int64_t pipeline, graph, count;
};

static int put_image(const struct machine *m, call_queue queue, const struct argument *a, const unsigned char *bytes, call_buffer *out);
static int get_image(call_queue queue, const struct argument *a, unsigned char *bytes, const call_buffer *image);
static void drop_image(const struct argument *a, call_buffer *image);
static void *put_result(call_queue queue, const unsigned char *bytes, int64_t size);
static int get_result(call_queue queue, unsigned char *bytes, int64_t size, void *result);

static int one_call(const struct machine *m, const struct call *call, FILE *in, FILE *out) {
    struct argument argument[most_arguments];
    unsigned char *bytes[most_arguments] = {NULL};
    call_buffer image[most_arguments];
    void *at[most_arguments] = {NULL}, *result[most_arguments] = {NULL};
    const int count = (int)call->count;
    const call_queue queue = open_queue(m);
    int status, bad = queue == NULL || count > most_arguments;
    memset(image, 0, sizeof image);
    for (int i = 0; i < count && !bad; i++) {
        struct argument *a = &argument[i];
        bad = fread(a, sizeof *a, 1, in) != 1 || (bytes[i] = malloc((size_t)a->size)) == NULL ||
              fread(bytes[i], 1, (size_t)a->size, in) != (size_t)a->size;
        at[i] = bytes[i];
        if (!bad && a->sort == is_image) {
            bad = put_image(m, queue, a, bytes[i], &image[i]);
            at[i] = &image[i];
        } else if (!bad && a->sort == is_result) {
            at[i] = result[i] = put_result(queue, bytes[i], a->size);
            bad = result[i] == NULL;
        }
    }
    if (bad)
        return 1;
    status = call->graph ? call_graph((int)call->pipeline, m->library, queue, at) : call_enqueue((int)call->pipeline, m->library, queue, at);
    if (status != 0)
        return failed(m, status);
    bad = finish(queue);
    for (int i = 0; i < count; i++) {
        const struct argument *a = &argument[i];
        if (a->sort == is_image) {
            bad |= get_image(queue, a, bytes[i], &image[i]);
            drop_image(a, &image[i]);
        } else if (a->sort == is_result) {
            bad |= get_result(queue, bytes[i], a->size, result[i]);
        }
        bad |= fwrite(bytes[i], 1, (size_t)a->size, out) != (size_t)a->size;
        free(bytes[i]);
    }
    close_queue(queue);
    return bad;
}

static int calls(const char *arguments, const char *results) {
    FILE *in = fopen(arguments, "rb"), *out = fopen(results, "wb");
    struct machine machine, *m = &machine;
    struct call call;
    int bad;
    memset(m, 0, sizeof *m);
    bad = in == NULL || out == NULL || open_device(m, 0) != 0;
    while (!bad && fread(&call, sizeof call, 1, in) == 1)
        bad = one_call(m, &call, in, out);
    if (m->library != NULL)
        call_destroy(m->library);
    close_device(m);
    if (in != NULL)
        fclose(in);
    return (out == NULL || fclose(out) != 0) | bad;
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "--calls") == 0)
        return calls(argv[2], argv[3]);
    return demo_main(argc, argv);
}
