/* failing.c: each call of OpenCL and each allocation of a library's life fails once, or it and all behind it. The library must say
 * so and leave nothing behind, and where only one failed it must work the next time. */
#include "robust.h"

static const cl_int codes[] = {CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_DEVICE_NOT_AVAILABLE,
                               CL_INVALID_CONTEXT, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, -9999};

static int code_count(void) { return thorough ? (int)(sizeof codes / sizeof codes[0]) : 1; }

/* Whether a status tells of a failure that the caller has no part in. */
static int blames_the_device(int status) {
    return status == MEMORY || status == DEVICE_MEMORY || status == OPENCL || status == BUILD || status == DEVICE || status == QUEUE ||
           status == BUFFER;
}

static void same_objects(const struct objects *before, int n, const char *what) {
    CHECK(memcmp(&shim.objects, before, sizeof *before) == 0,
          "%s, call %d (%s) failed; left %d buffers, %d kernels, %d programs, %d queues, %d events, %d blocks", what, n,
          shim.last == NULL ? "none" : shim.last, shim.objects.buffers - before->buffers, shim.objects.kernels - before->kernels,
          shim.objects.programs - before->programs, shim.objects.queues - before->queues, shim.objects.events - before->events,
          shim.objects.blocks - before->blocks);
}

/* Creation in which the n-th call fails; 0 where there are fewer. */
static int failing_creation(int n, int for_good, cl_int code) {
    const struct objects before = shim.objects;
    void *self = &place;
    char message[400] = "";
    shim_fail(n, for_good, code);
    const int status = subject.create_log(place.context, place.device, &self, message, sizeof message);
    const int failed = shim.failed, any = shim.failed + shim.overlooked;
    CHECK((status == OK) == (self != NULL), "creation gives %p and status %d", self, status);
    CHECK(failed == 0 ? status == OK : blames_the_device(status), "call %d (%s) failed in creation; status %d", n, shim.last, status);
    CHECK((status == OK) == (strlen(message) <= 8), "call %d (%s) failed in creation; message \"%s\"", n, shim.last, message);
    subject.destroy(self);
    shim.until = 0;
    same_objects(&before, n, "creation");
    return any > 0;
}

/* A call of a pipeline in which the n-th call of OpenCL fails; 0 where there are fewer. */
static int failing_call(const struct pipeline *of, int on_device, int n, int for_good, cl_int code) {
    const struct objects before = shim.objects;
    void *self = create(&place);
    struct call x;
    cl_event done = NULL;
    if (self == NULL)
        return 0;
    prepare(&x, of, 0, on_device, 0, &place);
    shim_fail(n, for_good, code);
    const int status = on_device ? enqueue_call(&x, self, place.queue, &done) : run_call(&x, self);
    const int failed = shim.failed, any = shim.failed + shim.overlooked;
    if (for_good && any > 0) { /* and again, with the device still gone */
        const int again = perform(&x, self, &place);
        CHECK(blames_the_device(again), "%s, call %d (%s): status %d on a device that is gone", of->name, n, shim.last, again);
        subject.destroy(self);
        self = NULL;
    }
    shim.until = 0;
    CHECK(failed == 0 ? status == OK : blames_the_device(status), "%s, call %d (%s) failed with %d; status %d", of->name, n, shim.last,
          (int)code, status);
    CHECK(!on_device || (status == OK) == (done != NULL), "%s, call %d (%s) failed: status %d, event %p", of->name, n, shim.last, status,
          (void *)done);
    if (self != NULL && status != OK)
        CHECK(strlen(subject.last_error(self)) > 8, "%s, call %d (%s) failed without a text", of->name, n, shim.last);
    if (done != NULL) {
        clReleaseEvent(done);
        shim.objects.events--; /* it was ours */
    }
    clFinish(place.queue);
    if (status == OK)
        CHECK(has_result(&x, &place), "%s: wrong result although nothing that matters failed (%s)", of->name, shim.last);
    dispose(&x);
    if (self != NULL && any > 0 && n % (thorough && code == codes[0] ? 1 : 7) == 0)
        works(self, of, &place, "after a call has failed");
    subject.destroy(self);
    same_objects(&before, n, of->name);
    return any > 0;
}

enum { most_calls = 20000 };

static void every_call(int for_good) {
    for (int c = 0; c < code_count(); c++) {
        int n = 1, total = 0;
        while (n < most_calls && failing_creation(n, for_good, codes[c]))
            n++;
        total += n - 1;
        for (int i = 0; i < 2 * subject.pipelines && failures < 20; i++) {
            const int step = thorough || !for_good ? 1 : 5;
            for (n = 1; n < most_calls && failing_call(&subject.pipeline[i / 2], i % 2, n, for_good, codes[c]) && failures < 20; n += step)
                total++;
            CHECK(n > 3 && n < most_calls, "%s: %d calls can fail", subject.pipeline[i / 2].name, n - 1);
        }
        printf("%s: %d calls failed%s with %d\n", subject.name, total, for_good ? ", and all behind them," : "", (int)codes[c]);
    }
}

void test_failing_calls(void) { every_call(0); }

void test_lost_device(void) { every_call(1); }

/* A call whose work ends with an error on the device, behind its back: what waits for it fails, so the next call must not. */
void test_failed_work(void) {
    for (int i = 0; i < subject.pipelines; i++) {
        const struct pipeline *of = &subject.pipeline[i];
        void *self = create(&place);
        struct call x;
        cl_event done = NULL;
        if (self == NULL)
            return;
        prepare(&x, of, 0, 1, 0, &place);
        CHECK(enqueue_call(&x, self, place.queue, &done) == OK && done != NULL, "%s: %s", of->name, subject.last_error(self));
        clFinish(place.queue);
        shim.dead = done;
        works(self, of, &place, "after work that failed on the device");
        shim.dead = NULL;
        clReleaseEvent(done);
        shim.objects.events--; /* it was ours */
        dispose(&x);
        subject.destroy(self);
    }
}
