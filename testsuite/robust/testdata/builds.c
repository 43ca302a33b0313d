/* builds.c: kernels that the device's compiler refuses, and what is said about it in messages of any length. */
#include "robust.h"

static const char broken[] = "#error these kernels are broken on purpose\n";

static void message_of(size_t size) {
    char *message = size == 0 ? NULL : malloc(size); /* exactly so much: the address sanitizer sees a byte more */
    void *self = &place;
    if (size > 0 && message == NULL)
        return;
    if (size > 0)
        memset(message, 'x', size);
    const int status = subject.create_log(place.context, place.device, &self, message, size);
    CHECK(status == BUILD && self == NULL, "broken kernels: status %d", status);
    if (size > 0)
        CHECK(memchr(message, '\0', size) != NULL, "a message of %zu bytes does not end", size);
    if (size > 2000)
        CHECK(strstr(message, "broken on purpose") != NULL, "the compiler's log is missing:\n%s", message);
    free(message);
}

void test_builds(void) {
    static const size_t sizes[] = {0, 1, 2, 3, 10, 60, 61, 62, 63, 64, 65, 66, 70, 100, 150, 200, 300, 500, 1000, 5000, 100000, 1 << 20};
    shim.broken = broken;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i += thorough ? 1 : 4)
        message_of(sizes[i]);
    for (int n = 1; n < 100; n += thorough ? 1 : 3) { /* the calls that get the log fail, too */
        char message[300];
        void *self = &place;
        shim_fail(n, 0, CL_OUT_OF_HOST_MEMORY);
        const int status = subject.create_log(place.context, place.device, &self, message, n % 2 ? sizeof message : 70);
        const int any = shim.failed + shim.overlooked;
        shim.until = 0;
        CHECK(status != OK && self == NULL && strlen(message) > 8, "broken kernels, call %d fails: status %d", n, status);
        if (any == 0)
            break;
    }
    shim.broken = NULL;
    subject.destroy(create(&place)); /* what is right is built after it */
}
