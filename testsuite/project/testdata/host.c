/* host.c: right and wrong calls with images in host memory. Every wrong call must return its status with a sentence, and must
 * change nothing. */
#include "check.h"

/* The arguments of mix, by value and by pointer, so that a case can spoil either. */
struct arguments {
    calls *self;
    calls_image a, b, acc, dst;
    const calls_image *pa, *pb, *pacc, *pdst;
    int32_t row, *area;
};

static struct images images, before, wanted;
static int32_t area;
static calls *library;

static calls_image image(void *data, int64_t h, int64_t w) {
    calls_image m;
    memset(&m, 0, sizeof m);
    m.data = data;
    m.extent[0] = h;
    m.extent[1] = w;
    m.extent[2] = -7; /* axes that the image does not have are not read */
    m.extent[3] = INT64_MIN;
    return m;
}

static void valid(struct arguments *x) {
    fill(&images);
    memcpy(&before, &images, sizeof before);
    area = -1;
    x->self = library;
    x->a = image(images.a, height, width);
    x->b = image(images.b, height, width);
    x->acc = image(images.acc, height, width);
    x->dst = image(images.dst, height, 2 * width);
    x->pa = &x->a;
    x->pb = &x->b;
    x->pacc = &x->acc;
    x->pdst = &x->dst;
    x->row = 2;
    x->area = &area;
}

static int call(const struct arguments *x) { return calls_mix_run(x->self, x->pa, x->row, x->pb, x->pacc, x->pdst, x->area); }

static void wrong(const struct arguments *x, const char *name, int want) {
    const int status = call(x);
    CHECK(status == want, "%s: status %d (%s), wanted %d; %s", name, status, calls_status(status), want, calls_last_error(library));
    CHECK(memcmp(&images, &before, sizeof images) == 0 && area == -1, "%s changed something", name);
    CHECK(strlen(calls_status(status)) > 8, "%s: no sentence for status %d", name, status);
    if (x->self != NULL) {
        const char *error = calls_last_error(library);
        CHECK(strlen(error) > 8, "%s: no error text", name);
        printf("%-34s %2d  %s\n", name, status, error);
    }
}

#define WRONG(name, status, change)                                                                                    \
    do {                                                                                                               \
        struct arguments x;                                                                                            \
        valid(&x);                                                                                                     \
        change;                                                                                                        \
        wrong(&x, name, status);                                                                                       \
    } while (0)

static void null_pointers(void) {
    WRONG("null library", CALLS_NULL, x.self = NULL);
    WRONG("null image a", CALLS_NULL, x.pa = NULL);
    WRONG("null image b", CALLS_NULL, x.pb = NULL);
    WRONG("null image acc", CALLS_NULL, x.pacc = NULL);
    WRONG("null image dst", CALLS_NULL, x.pdst = NULL);
    WRONG("null data of a", CALLS_NULL, x.a.data = NULL);
    WRONG("null data of acc", CALLS_NULL, x.acc.data = NULL);
    WRONG("null data of dst", CALLS_NULL, x.dst.data = NULL);
    WRONG("null out scalar", CALLS_NULL, x.area = NULL);
}

static void extents(void) {
    WRONG("zero rows", CALLS_EXTENT, x.a.extent[0] = 0);
    WRONG("zero columns", CALLS_EXTENT, x.dst.extent[1] = 0);
    WRONG("negative rows", CALLS_EXTENT, x.a.extent[0] = -1);
    WRONG("most negative columns", CALLS_EXTENT, x.b.extent[1] = INT64_MIN);
    WRONG("one row less in b", CALLS_EXTENT, x.b.extent[0]--);
    WRONG("one column more in b", CALLS_EXTENT, x.b.extent[1]++);
    WRONG("one row less in acc", CALLS_EXTENT, x.acc.extent[0]--);
    WRONG("one column less in dst", CALLS_EXTENT, x.dst.extent[1]--);
    WRONG("the width itself in dst", CALLS_EXTENT, x.dst.extent[1] = width);
    WRONG("axes exchanged", CALLS_EXTENT, (x.acc.extent[0] = width, x.acc.extent[1] = height));
    WRONG("rows over 2^31", CALLS_SIZE, x.a.extent[0] = INT64_C(1) << 31);
    WRONG("rows over 2^32, low bits right", CALLS_SIZE, x.a.extent[0] = (INT64_C(1) << 32) + height);
    WRONG("columns over 2^62", CALLS_SIZE, x.b.extent[1] = INT64_C(1) << 62);
    WRONG("most columns", CALLS_SIZE, x.dst.extent[1] = INT64_MAX);
    WRONG("a size in bytes beyond 2^62", CALLS_SIZE, (x.a.extent[0] = x.a.extent[1] = INT64_C(1) << 30, x.a.pitch = INT64_C(1) << 60));
}

static void pitches(void) {
    WRONG("pitch one byte short", CALLS_PITCH, x.acc.pitch = width * 4 - 1);
    WRONG("pitch one pixel short", CALLS_PITCH, x.dst.pitch = 2 * width * 6 - 6);
    WRONG("negative pitch", CALLS_PITCH, x.a.pitch = -width * 2);
    WRONG("most negative pitch", CALLS_PITCH, x.a.pitch = INT64_MIN);
    WRONG("odd pitch", CALLS_PITCH, x.a.pitch = width * 2 + 1);
    WRONG("pitch that is no multiple of 4", CALLS_PITCH, x.acc.pitch = width * 4 + 2);
    WRONG("pitch of 2^31 components", CALLS_PITCH, x.a.pitch = INT64_C(1) << 32);
    WRONG("huge pitch", CALLS_SIZE, x.a.pitch = INT64_MAX - 1);
}

static void overlaps(void) {
    WRONG("dst over acc", CALLS_OVERLAP, x.dst.data = x.acc.data);
    WRONG("dst over a", CALLS_OVERLAP, x.dst.data = x.a.data);
    WRONG("acc over b", CALLS_OVERLAP, x.acc.data = x.b.data);
    WRONG("acc ends in dst", CALLS_OVERLAP, x.acc.data = (char *)x.dst.data - (height * width * 4 - 2));
    WRONG("dst ends in a", CALLS_OVERLAP, x.dst.data = (char *)x.a.data - (height * width * 12 - 2));
    WRONG("overlap by the pitch", CALLS_OVERLAP,
          (x.a.data = (char *)x.acc.data - 4 * (width * 2 + 8), x.a.pitch = width * 2 + 8));
}

static void conditions(void) {
    WRONG("row below 0", CALLS_CONDITION, x.row = -1);
    WRONG("row H", CALLS_CONDITION, x.row = height);
    WRONG("least row", CALLS_CONDITION, x.row = INT32_MIN);
    WRONG("greatest row", CALLS_CONDITION, x.row = INT32_MAX);
}

/* Right calls: packed, with pitches, with inputs that share memory. */
static void right(void) {
    struct arguments x;
    static uint16_t wide[height * (width + 3)];
    for (int row = 0; row < height; row++) {
        valid(&x);
        x.row = row;
        expected(&before, row, &wanted);
        CHECK(call(&x) == CALLS_OK, "%s", calls_last_error(library));
        CHECK(memcmp(&images, &wanted, sizeof images) == 0, "wrong result for row %d", row);
        CHECK(area == height * width, "area is %d", (int)area);
    }
    valid(&x);
    expected(&before, x.row, &wanted);
    memset(wide, 0x5A, sizeof wide);
    for (int y = 0; y < height; y++)
        memcpy(wide + y * (width + 3), images.a + y * width, width * sizeof *wide);
    x.a = image(wide, height, width);
    x.a.pitch = (width + 3) * 2;
    CHECK(call(&x) == CALLS_OK, "%s", calls_last_error(library));
    CHECK(memcmp(&images, &wanted, sizeof images) == 0, "wrong result for a with a pitch");
    valid(&x);
    memcpy(images.b, images.a, sizeof images.b);
    expected(&images, x.row, &wanted);
    x.b = x.a; /* two inputs may be one image */
    CHECK(call(&x) == CALLS_OK, "%s", calls_last_error(library));
    CHECK(memcmp(&images, &wanted, sizeof images) == 0, "wrong result where a is b");
}

/* An output with a pitch: the bytes between its lines are the caller's. */
static void output_with_pitch(void) {
    enum { pitch = width + 2 };
    static int32_t acc[height * pitch];
    struct arguments x;
    valid(&x);
    expected(&before, x.row, &wanted);
    memset(acc, 0x5A, sizeof acc);
    for (int y = 0; y < height; y++)
        memcpy(acc + y * pitch, images.acc + y * width, width * sizeof *acc);
    x.acc = image(acc, height, width);
    x.acc.pitch = pitch * 4;
    CHECK(call(&x) == CALLS_OK, "%s", calls_last_error(library));
    for (int y = 0; y < height; y++) {
        CHECK(memcmp(acc + y * pitch, wanted.acc + y * width, width * sizeof *acc) == 0, "wrong result in line %d", y);
        CHECK(acc[y * pitch + width] == 0x5A5A5A5A && acc[y * pitch + width + 1] == 0x5A5A5A5A, "line %d: wrote beyond the line", y);
    }
}

/* The line and the volume: an image of one line has no pitch, channels are part of a line. */
static void other_ranks(void) {
    float src[3] = {1, 2, 3}, dst[3] = {0, 0, 0};
    calls_image in = image(src, 3, -1), out = image(dst, 3, -1);
    unsigned char voxels[2 * 2 * 3], pairs[2 * 2 * 8];
    in.pitch = out.pitch = 1; /* not read */
    CHECK(calls_line_run(library, &in, &out) == CALLS_OK, "%s", calls_last_error(library));
    CHECK(dst[0] == 2 && dst[1] == 4 && dst[2] == 6, "line: %g %g %g", dst[0], dst[1], dst[2]);
    out.extent[0] = 2;
    CHECK(calls_line_run(library, &in, &out) == CALLS_EXTENT, "a line that is too short");
    for (int i = 0; i < 12; i++)
        voxels[i] = (unsigned char)(10 * i);
    memset(pairs, 0xA5, sizeof pairs);
    in = image(voxels, 2, 2);
    in.extent[2] = 3;
    out = image(pairs, 2, 2);
    out.extent[2] = 3;
    out.extent[3] = 2;
    out.pitch = 8; /* of 6 used bytes */
    CHECK(calls_volume_run(library, &in, &out) == CALLS_OK, "%s", calls_last_error(library));
    for (int i = 0; i < 12; i++)
        for (int c = 0; c < 2; c++)
            CHECK(pairs[i / 3 * 8 + i % 3 * 2 + c] == 10 * i + c, "volume: voxel %d", i);
    for (int i = 0; i < 4; i++)
        CHECK(pairs[i * 8 + 6] == 0xA5 && pairs[i * 8 + 7] == 0xA5, "volume: wrote beyond line %d", i);
    out.extent[3] = 3;
    out.pitch = 0;
    CHECK(calls_volume_run(library, &in, &out) == CALLS_EXTENT, "a constant extent that is wrong");
}

static void creation(const struct place *p) {
    calls *made = (calls *)p;
    char message[200] = "before";
    CHECK(calls_create(NULL, p->device, &made) == CALLS_NULL && made == NULL, "null context");
    CHECK(calls_create(p->context, NULL, &made) == CALLS_NULL && made == NULL, "null device");
    CHECK(calls_create(p->context, p->device, NULL) == CALLS_NULL, "null result");
    CHECK(calls_create_log(NULL, p->device, &made, message, sizeof message) == CALLS_NULL && strlen(message) > 8, "no message");
    CHECK(calls_create_log(NULL, p->device, &made, message, 1) == CALLS_NULL && message[0] == '\0', "message of one byte");
    CHECK(calls_create_log(NULL, p->device, &made, NULL, 100) == CALLS_NULL, "null message");
    CHECK(strlen(calls_status(-1)) > 8 && strlen(calls_status(1000)) > 8, "no sentence for a status that is none");
    CHECK(strcmp(calls_last_error(NULL), "") == 0, "error of a null library");
    calls_destroy(NULL);
}

int main(void) {
    struct place p;
    calls *second = NULL;
    if (open_place(&p) != 0) {
        printf("no device\n");
        return 3;
    }
    creation(&p);
    CHECK(calls_create(p.context, p.device, &library) == CALLS_OK, "create");
    CHECK(calls_create(p.other, p.device, &second) == CALLS_OK, "create a second one in another context");
    if (failures > 0)
        return 1;
    CHECK(strcmp(calls_last_error(library), "") == 0, "an error before any call");
    null_pointers();
    extents();
    pitches();
    overlaps();
    conditions();
    right();
    calls_destroy(library);
    library = second; /* outlives the first */
    right();
    output_with_pitch();
    other_ranks();
    calls_destroy(library);
    CHECK(objects.buffers == 0 && objects.kernels == 0 && objects.programs == 0 && objects.queues == 1 && objects.events == 0,
          "left: %d buffers, %d kernels, %d programs, %d queues, %d events", objects.buffers, objects.kernels, objects.programs,
          objects.queues - 1, objects.events);
    close_place(&p);
    return failures > 0;
}
