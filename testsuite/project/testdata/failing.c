/* failing.c: each OpenCL call of a library's life fails once. The library must say so, leave nothing behind, and work the next
 * time. */
#include "check.h"

static struct images images, before, wanted;

static calls_image image(void *data, int64_t h, int64_t w) {
    calls_image m;
    memset(&m, 0, sizeof m);
    m.data = data;
    m.extent[0] = h;
    m.extent[1] = w;
    return m;
}

static int mix(calls *library) {
    int32_t area = 0;
    calls_image a = image(images.a, height, width), b = image(images.b, height, width);
    calls_image acc = image(images.acc, height, width), dst = image(images.dst, height, 2 * width);
    fill(&images);
    memcpy(&before, &images, sizeof before);
    return calls_mix_run(library, &a, 1, &b, &acc, &dst, &area);
}

/* The same on the device, with an event. */
static int mix_enqueued(calls *library, const struct place *p) {
    const size_t sizes[4] = {height * width * 2, height * width * 2, height * width * 4, height * width * 12};
    calls_buffer m[4];
    cl_event done = NULL;
    int32_t area = 0;
    int status = CALLS_OK;
    memset(m, 0, sizeof m);
    for (int i = 0; i < 4; i++) {
        const int until = calls_until_failure;
        calls_until_failure = 0; /* these calls are ours */
        m[i].memory = clCreateBuffer(p->context, CL_MEM_READ_WRITE, sizes[i], NULL, NULL);
        calls_until_failure = until;
        m[i].extent[0] = height;
        m[i].extent[1] = i == 3 ? 2 * width : width;
    }
    status = calls_mix_enqueue(library, p->queue, &m[0], 0, &m[1], &m[2], &m[3], &area, 0, NULL, &done);
    CHECK((status == CALLS_OK) == (done != NULL), "status %d and event %p", status, (void *)done);
    if (done != NULL)
        clReleaseEvent(done);
    clFinish(p->queue);
    for (int i = 0; i < 4; i++)
        clReleaseMemObject(m[i].memory);
    return status;
}

int main(void) {
    struct place p;
    int n, status = CALLS_OPENCL;
    if (open_place(&p) != 0) {
        printf("no device\n");
        return 3;
    }
    for (n = 1; n < 1000; n++) {
        const struct objects start = objects;
        calls *library = NULL;
        const char *stage = "create";
        char message[300] = "";
        calls_until_failure = n;
        failed_calls = 0;
        status = calls_create_log(p.context, p.device, &library, message, sizeof message);
        CHECK((status == CALLS_OK) == (library != NULL), "create: status %d", status);
        if (status == CALLS_OK && (stage = "run", status = mix(library)) == CALLS_OK)
            stage = "enqueue", status = mix_enqueued(library, &p);
        if (failed_calls == 0)
            calls_until_failure = 0;
        CHECK((status == CALLS_OK) == (failed_calls == 0), "call %d failed in %s, and the status is %d", n, stage, status);
        if (library == NULL)
            CHECK(strlen(message) > 8, "call %d: no message", n);
        else if (status != CALLS_OK)
            CHECK(strlen(calls_last_error(library)) > 8, "call %d: no error text", n);
        if (library != NULL) { /* it still works */
            expected((fill(&images), &images), 1, &wanted);
            CHECK(mix(library) == CALLS_OK, "after call %d: %s", n, calls_last_error(library));
            CHECK(memcmp(&images, &wanted, sizeof images) == 0, "after call %d: wrong result", n);
        }
        calls_destroy(library);
        CHECK(memcmp(&objects, &start, sizeof start) == 0,
              "call %d failed in %s; left: %d buffers, %d kernels, %d programs, %d queues, %d events", n, stage,
              objects.buffers - start.buffers, objects.kernels - start.kernels, objects.programs - start.programs,
              objects.queues - start.queues, objects.events - start.events);
        if (failed_calls == 0)
            break;
    }
    printf("%d calls can fail\n", n - 1);
    CHECK(n > 30 && n < 1000, "%d calls can fail", n - 1);
    close_place(&p);
    return failures > 0;
}
