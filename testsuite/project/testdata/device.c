/* device.c: right and wrong calls with images in device memory. */
#include "check.h"
#include <time.h>

/* All images of a call lie in one buffer, apart from each other, so that one comparison shows that nothing was written. */
enum {
    a_at = 64,
    b_at = a_at + 256,
    acc_at = 1024, /* aligned as a sub-buffer has to be */
    dst_at = 2048,
    all = dst_at + 1024 /* bytes */
};

struct arguments {
    calls *self;
    cl_command_queue queue;
    calls_buffer a, b, acc, dst;
    const calls_buffer *pa, *pb, *pacc, *pdst;
    int32_t row, *area;
    cl_uint count;
    const cl_event *wait;
    cl_event *done;
};

static struct place place;
static calls *library;
static cl_mem memory, foreign, part; /* part: bytes acc_at to dst_at of memory */
static unsigned char before[all], after[all];
static struct images images, wanted;
static int32_t area;
static cl_event done;

static calls_buffer buffer(int64_t offset, int64_t h, int64_t w) {
    calls_buffer m;
    memset(&m, 0, sizeof m);
    m.memory = memory;
    m.offset = offset;
    m.extent[0] = h;
    m.extent[1] = w;
    m.extent[2] = INT64_MIN; /* axes that the image does not have are not read */
    return m;
}

static void valid(struct arguments *x) {
    memset(x, 0, sizeof *x);
    fill(&images);
    memset(before, 0xA5, sizeof before);
    memcpy(before + a_at, images.a, height * width * 2);
    memcpy(before + b_at, images.b, height * width * 2);
    memcpy(before + acc_at, images.acc, height * width * 4);
    CHECK(clEnqueueWriteBuffer(place.queue, memory, CL_TRUE, 0, all, before, 0, NULL, NULL) == CL_SUCCESS, "upload");
    area = -1;
    done = NULL;
    x->self = library;
    x->queue = place.queue;
    x->a = buffer(a_at, height, width);
    x->b = buffer(b_at, height, width);
    x->acc = buffer(acc_at, height, width);
    x->dst = buffer(dst_at, height, 2 * width);
    x->pa = &x->a;
    x->pb = &x->b;
    x->pacc = &x->acc;
    x->pdst = &x->dst;
    x->row = 2;
    x->area = &area;
    x->done = &done;
}

static int call(const struct arguments *x) {
    return calls_mix_enqueue(x->self, x->queue, x->pa, x->row, x->pb, x->pacc, x->pdst, x->area, x->count, x->wait, x->done);
}

static void download(void) {
    CHECK(clEnqueueReadBuffer(place.queue, memory, CL_TRUE, 0, all, after, 0, NULL, NULL) == CL_SUCCESS, "download");
}

static void wrong(const struct arguments *x, const char *name, int want) {
    const int status = call(x);
    CHECK(status == want, "%s: status %d (%s), wanted %d; %s", name, status, calls_status(status), want, calls_last_error(library));
    clFinish(place.queue);
    download();
    CHECK(memcmp(before, after, all) == 0 && area == -1 && done == NULL, "%s changed something", name);
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
    WRONG("null queue", CALLS_NULL, x.queue = NULL);
    WRONG("null image a", CALLS_NULL, x.pa = NULL);
    WRONG("null image dst", CALLS_NULL, x.pdst = NULL);
    WRONG("null memory of b", CALLS_NULL, x.b.memory = NULL);
    WRONG("null memory of acc", CALLS_NULL, x.acc.memory = NULL);
    WRONG("null out scalar", CALLS_NULL, x.area = NULL);
    WRONG("one event in a null list", CALLS_NULL, x.count = 1);
    WRONG("many events in a null list", CALLS_NULL, x.count = UINT32_MAX);
}

static void shapes(void) {
    WRONG("zero rows", CALLS_EXTENT, x.a.extent[0] = 0);
    WRONG("negative columns", CALLS_EXTENT, x.acc.extent[1] = -width);
    WRONG("one row more in b", CALLS_EXTENT, x.b.extent[0]++);
    WRONG("one column less in dst", CALLS_EXTENT, x.dst.extent[1]--);
    WRONG("rows over 2^31", CALLS_SIZE, x.a.extent[0] = (INT64_C(1) << 31) + height);
    WRONG("rows over 2^32, low bits right", CALLS_SIZE, x.dst.extent[0] = (INT64_C(1) << 32) + height);
    WRONG("pitch one pixel short", CALLS_PITCH, x.dst.pitch = 2 * width * 6 - 6);
    WRONG("odd pitch", CALLS_PITCH, x.b.pitch = width * 2 + 1);
    WRONG("negative pitch", CALLS_PITCH, x.b.pitch = -width * 2);
    WRONG("odd offset", CALLS_PITCH, x.a.offset++);
    WRONG("offset that is no multiple of 4", CALLS_PITCH, x.acc.offset += 2);
    WRONG("negative offset", CALLS_PITCH, x.a.offset = -2);
    WRONG("most negative offset", CALLS_PITCH, x.a.offset = INT64_MIN);
    WRONG("row H", CALLS_CONDITION, x.row = height);
}

static void beyond_buffers(void) {
    WRONG("offset one pixel too far", CALLS_EXTENT, x.dst.offset = all - height * width * 12 + 2);
    WRONG("offset behind the buffer", CALLS_EXTENT, x.a.offset = all + 2);
    WRONG("greatest offset", CALLS_EXTENT, x.a.offset = INT64_MAX - 1);
    WRONG("pitch out of the buffer", CALLS_EXTENT, x.dst.pitch = 1000);
    WRONG("size out of the buffer", CALLS_EXTENT, x.a.extent[0] = 1000);
    WRONG("huge pitch", CALLS_SIZE, x.a.pitch = INT64_MAX - 1);
    WRONG("image larger than its part", CALLS_EXTENT, (x.dst.memory = part, x.dst.offset = 700));
}

static void overlaps(void) {
    WRONG("dst over acc", CALLS_OVERLAP, x.dst.offset = acc_at);
    WRONG("dst begins in acc", CALLS_OVERLAP, x.dst.offset = acc_at + height * width * 4 - 2);
    WRONG("acc ends in dst", CALLS_OVERLAP, x.acc.offset = dst_at - height * width * 4 + 4);
    WRONG("a between the lines of acc", CALLS_OVERLAP, (x.acc.pitch = width * 4 + 32, x.a.offset = acc_at + width * 4, x.a.pitch = width * 4 + 32));
    WRONG("a in a part under acc", CALLS_OVERLAP, (x.a.memory = part, x.a.offset = height * width * 4 - 2));
    WRONG("acc in a part over dst", CALLS_OVERLAP, (x.acc.memory = part, x.acc.offset = 0, x.dst.offset = acc_at + 64));
}

static void strangers(void) {
    cl_command_queue queue = clCreateCommandQueue(place.other, place.device, 0, NULL);
    WRONG("buffer of another context", CALLS_BUFFER, x.b.memory = foreign);
    WRONG("queue of another context", CALLS_QUEUE, x.queue = queue);
    clReleaseCommandQueue(queue);
}

/* What mix leaves in memory, starting from before. */
static void check_result(const struct arguments *x) {
    expected(&images, x->row, &wanted);
    download();
    CHECK(memcmp(after + acc_at, wanted.acc, height * width * 4) == 0, "acc is wrong");
    CHECK(memcmp(after + dst_at, wanted.dst, height * width * 12) == 0, "dst is wrong");
    memcpy(after + acc_at, before + acc_at, height * width * 4);
    memcpy(after + dst_at, before + dst_at, height * width * 12);
    CHECK(memcmp(before, after, all) == 0, "something beside the outputs was written");
    CHECK(area == height * width, "area is %d", (int)area);
}

static void right(void) {
    struct arguments x;
    valid(&x);
    CHECK(call(&x) == CALLS_OK && done != NULL, "%s", calls_last_error(library));
    CHECK(clWaitForEvents(1, &done) == CL_SUCCESS, "the event");
    clReleaseEvent(done);
    check_result(&x);
    valid(&x); /* without an event, in a part of a buffer, reading one image twice */
    x.done = NULL;
    x.acc.memory = part;
    x.acc.offset = 0;
    x.b = x.a;
    memcpy(images.b, images.a, sizeof images.b);
    CHECK(call(&x) == CALLS_OK, "%s", calls_last_error(library));
    clFinish(place.queue);
    check_result(&x);
}

/* Temporary images in the caller's memory: of at least as many bytes as the library asks for. */
static void workspaces(void) {
    struct arguments x;
    int64_t bytes = -1;
    cl_mem room, part_of_it;
    const cl_buffer_region region = {0, 4096};
    int buffers;
    valid(&x);
    x.a.memory = NULL; /* is not looked at */
    CHECK(calls_mix_workspace(library, &x.a, x.row, &x.b, &x.acc, &x.dst, &bytes) == CALLS_OK, "%s", calls_last_error(library));
    CHECK(bytes >= height * width * 4 && bytes < 65536, "%lld bytes", (long long)bytes);
    CHECK(calls_mix_workspace(library, &x.a, height, &x.b, &x.acc, &x.dst, &bytes) == CALLS_CONDITION, "row H");
    CHECK(calls_mix_workspace(library, &x.a, x.row, NULL, &x.acc, &x.dst, &bytes) == CALLS_NULL, "no b");
    CHECK(calls_mix_workspace(library, &x.a, x.row, &x.b, &x.acc, &x.dst, NULL) == CALLS_NULL, "no bytes");
    room = clCreateBuffer(place.context, CL_MEM_READ_WRITE, (size_t)bytes, NULL, NULL);
    part_of_it = clCreateSubBuffer(room, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
    buffers = objects.buffers;
    valid(&x);
    CHECK(calls_mix_enqueue_in(library, x.queue, room, x.pa, x.row, x.pb, x.pacc, x.pdst, x.area, 0, NULL, NULL) == CALLS_OK, "%s",
          calls_last_error(library));
    CHECK(objects.buffers == buffers, "%d buffers are left", objects.buffers - buffers);
    clFinish(place.queue);
    check_result(&x);
    valid(&x);
    CHECK(calls_mix_enqueue_in(library, x.queue, NULL, x.pa, x.row, x.pb, x.pacc, x.pdst, x.area, 0, NULL, NULL) == CALLS_NULL, "no workspace");
    CHECK(calls_mix_enqueue_in(library, x.queue, foreign, x.pa, x.row, x.pb, x.pacc, x.pdst, x.area, 0, NULL, NULL) == CALLS_BUFFER,
          "a workspace of another context");
    CHECK(calls_mix_enqueue_in(library, x.queue, part_of_it, x.pa, x.row, x.pb, x.pacc, x.pdst, x.area, 0, NULL, NULL) == CALLS_WORKSPACE,
          "a part of a buffer");
    CHECK(calls_mix_enqueue_in(library, x.queue, memory, x.pa, x.row, x.pb, x.pacc, x.pdst, x.area, 0, NULL, NULL) == CALLS_WORKSPACE,
          "a workspace that is too small");
    clFinish(place.queue);
    download();
    CHECK(memcmp(before, after, all) == 0 && area == -1, "a wrong workspace changed something");
    clReleaseMemObject(part_of_it);
    clReleaseMemObject(room);
}

/* Lines with gaps: what lies between them stays. */
static void right_with_pitch(void) {
    enum { pitch = width * 12 + 4 };
    struct arguments x;
    valid(&x);
    x.dst.pitch = pitch;
    CHECK(call(&x) == CALLS_OK, "%s", calls_last_error(library));
    clWaitForEvents(1, &done);
    clReleaseEvent(done);
    expected(&images, x.row, &wanted);
    download();
    for (int y = 0; y < height; y++) {
        CHECK(memcmp(after + dst_at + y * pitch, wanted.dst + y * width * 6, width * 12) == 0, "line %d is wrong", y);
        for (int i = width * 12; i < pitch; i++)
            CHECK(after[dst_at + y * pitch + i] == 0xA5, "line %d: wrote beyond its end", y);
    }
}

/* Work waits for the caller's events, on queues of both kinds; calls follow each other. */
static void waiting(cl_command_queue_properties properties) {
    struct arguments x;
    cl_int state = -1, code;
    cl_event gates[2], second = NULL;
    cl_command_queue queue = clCreateCommandQueue(place.context, place.device, properties, &code);
    if (queue == NULL) {
        printf("the device has no queues with properties %d\n", (int)properties);
        return;
    }
    gates[0] = clCreateUserEvent(place.context, &code);
    gates[1] = clCreateUserEvent(place.context, &code);
    objects.events += 2; /* made by a function that is not counted */
    valid(&x);
    x.queue = queue;
    x.count = 2;
    x.wait = gates;
    CHECK(call(&x) == CALLS_OK, "%s", calls_last_error(library));
    x.count = 0; /* a second call right behind, which has to wait for the first: acc grows twice */
    x.wait = NULL;
    x.done = &second;
    CHECK(call(&x) == CALLS_OK, "%s", calls_last_error(library));
    clFlush(queue);
    clSetUserEventStatus(gates[0], CL_COMPLETE);
    clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    CHECK(state != CL_COMPLETE, "the call did not wait for the second event");
    clSetUserEventStatus(gates[1], CL_COMPLETE);
    CHECK(clWaitForEvents(1, &second) == CL_SUCCESS, "the second call");
    clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    CHECK(state == CL_COMPLETE, "the second call overtook the first");
    clFinish(queue);
    expected(&images, x.row, &wanted);
    memcpy(images.acc, wanted.acc, sizeof images.acc);
    check_result(&x);
    clReleaseEvent(done);
    clReleaseEvent(second);
    clReleaseEvent(gates[0]);
    clReleaseEvent(gates[1]);
    clReleaseCommandQueue(queue);
}

/* A call has an event for its end only where its caller asks for one, and a mark for it only where no kernel is its last command. */
static void marks(void) {
    struct arguments x;
    calls_buffer src, dst;
    int made = objects.marks;
    valid(&x);
    src = buffer(acc_at, 3, 0);
    dst = buffer(dst_at, 3, 0);
    CHECK(calls_line_enqueue(library, place.queue, &src, &dst, 0, NULL, NULL) == CALLS_OK, "%s", calls_last_error(library));
    x.done = NULL;
    CHECK(call(&x) == CALLS_OK, "%s", calls_last_error(library));
    CHECK(objects.marks == made, "a mark that nobody asks for");
    x.done = &done;
    CHECK(call(&x) == CALLS_OK, "%s", calls_last_error(library));
    CHECK(objects.marks == made + 1 && clWaitForEvents(1, &done) == CL_SUCCESS, "no mark for the caller");
    clReleaseEvent(done);
    CHECK(calls_twice_enqueue(library, place.queue, &src, &dst, 0, NULL, &done) == CALLS_OK, "%s", calls_last_error(library));
    CHECK(objects.marks == made + 1 && clWaitForEvents(1, &done) == CL_SUCCESS, "a mark beside the event of the last kernel");
    clReleaseEvent(done);
    clFinish(place.queue);
}

/* Calls that share the library's memory follow each other on different queues, too: that on the second queue waits for the one on the first, which
   waits for a gate. Where the first one's caller has taken its event, that is waited for, and no mark is made. The queue may go. */
static void two_queues(cl_event *first) {
    struct arguments x;
    cl_int state = -1, code;
    cl_event gate = clCreateUserEvent(place.context, &code), second = NULL;
    cl_command_queue queue = clCreateCommandQueue(place.context, place.device, 0, &code);
    int made = objects.marks;
    objects.events++; /* made by a function that is not counted */
    valid(&x);
    x.queue = queue;
    x.count = 1;
    x.wait = &gate;
    x.done = first;
    CHECK(call(&x) == CALLS_OK, "%s", calls_last_error(library));
    made += first != NULL; /* that call does not end with a kernel */
    CHECK(objects.marks == made, "a mark that nobody asks for yet");
    clReleaseCommandQueue(queue);
    x.queue = place.queue;
    x.count = 0; /* acc grows twice */
    x.wait = NULL;
    x.done = &second;
    CHECK(call(&x) == CALLS_OK, "%s", calls_last_error(library));
    CHECK(objects.marks == made + 1 + (first == NULL), "marks: %d, not those of the second call and of the first one's queue", objects.marks - made);
    clFlush(place.queue);
    for (clock_t until = clock() + CLOCKS_PER_SEC / 50; clock() < until;)
        continue; /* it would have ended by then */
    clGetEventInfo(second, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    CHECK(state != CL_COMPLETE, "the call on the second queue overtook the one on the first");
    clSetUserEventStatus(gate, CL_COMPLETE);
    CHECK(clWaitForEvents(1, &second) == CL_SUCCESS, "the second call");
    clFinish(place.queue);
    expected(&images, x.row, &wanted);
    memcpy(images.acc, wanted.acc, sizeof images.acc);
    check_result(&x);
    if (first != NULL)
        clReleaseEvent(*first);
    clReleaseEvent(second);
    clReleaseEvent(gate);
}

/* A library may go while its work is on the way. */
static void destroyed_at_once(void) {
    struct arguments x;
    calls *brief = NULL;
    CHECK(calls_create(place.context, place.device, &brief) == CALLS_OK, "create");
    valid(&x);
    x.self = brief;
    CHECK(call(&x) == CALLS_OK, "%s", calls_last_error(brief));
    calls_destroy(brief);
    clReleaseEvent(done);
    clFinish(place.queue);
    check_result(&x);
}

int main(void) {
    cl_buffer_region region = {acc_at, dst_at - acc_at};
    cl_int code;
    if (open_place(&place) != 0) {
        printf("no device\n");
        return 3;
    }
    memory = clCreateBuffer(place.context, CL_MEM_READ_WRITE, all, NULL, &code);
    foreign = clCreateBuffer(place.other, CL_MEM_READ_WRITE, all, NULL, &code);
    part = clCreateSubBuffer(memory, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    CHECK(part != NULL, "no sub-buffer: %d", (int)code);
    CHECK(calls_create(place.context, place.device, &library) == CALLS_OK, "create");
    if (failures > 0)
        return 1;
    null_pointers();
    shapes();
    beyond_buffers();
    overlaps();
    strangers();
    right();
    workspaces();
    right_with_pitch();
    waiting(0);
    waiting(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    marks();
    two_queues(NULL);
    two_queues(&done);
    destroyed_at_once();
    calls_destroy(library);
    clReleaseMemObject(part);
    clReleaseMemObject(memory);
    clReleaseMemObject(foreign);
    CHECK(objects.buffers == 0 && objects.kernels == 0 && objects.programs == 0 && objects.queues == 1 && objects.events == 0,
          "left: %d buffers, %d kernels, %d programs, %d queues, %d events", objects.buffers, objects.kernels, objects.programs,
          objects.queues - 1, objects.events);
    close_place(&place);
    return failures > 0;
}
