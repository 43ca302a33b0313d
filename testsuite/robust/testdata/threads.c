/* threads.c: two libraries in two threads, in contexts of their own and in one. */
#include "robust.h"

#include <pthread.h>

struct worker {
    struct place place;
    int rounds;
    pthread_t thread;
};

static void *work(void *argument) {
    const struct worker *w = argument;
    void *self = create(&w->place);
    for (int n = 0; self != NULL && n < w->rounds; n++)
        for (int i = 0; i < subject.pipelines; i++)
            works(self, &subject.pipeline[i], &w->place, "beside another thread");
    subject.destroy(self);
    return NULL;
}

void test_threads(void) {
    for (int shared = 0; shared < 2; shared++) {
        struct worker workers[2];
        cl_int code;
        for (int i = 0; i < 2; i++) {
            struct worker *w = &workers[i];
            memset(w, 0, sizeof *w);
            w->rounds = thorough ? 30 : 3;
            w->place = place;
            w->place.context = shared || i == 0 ? place.context : place.other;
            w->place.queue = clCreateCommandQueue(w->place.context, place.device, 0, &code);
        }
        for (int i = 0; i < 2; i++)
            CHECK(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0, "no thread");
        for (int i = 0; i < 2; i++) {
            pthread_join(workers[i].thread, NULL);
            clReleaseCommandQueue(workers[i].place.queue);
        }
    }
}
