/* Runs demo programs of projects, built as shared libraries, one after the other in one process: where a tool or a driver takes
 * seconds to start, it does so once.
 *
 *     many DEMO ARGUMENT... [+ DEMO ARGUMENT...]...
 *
 * Each is announced by a line "== DEMO ARGUMENT ...". The exit status is the first that is not 0; a program that cannot be loaded counts
 * as 127. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef int entry(int argc, char **argv);

static int run(int argc, char **argv) {
    void *const demo = dlopen(argv[0], RTLD_NOW | RTLD_LOCAL); /* which has functions of the same names as others */
    entry *start = NULL;
    printf("==");
    for (int i = 0; i < argc; i++)
        printf(" %s", argv[i]);
    printf("\n");
    fflush(stdout);
    if (demo != NULL)
        *(void **)&start = dlsym(demo, "main");
    if (start == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 127;
    }
    const int status = start(argc, argv);
    fflush(stdout);
    return status;
}

int main(int argc, char **argv) {
    int worst = 0;
    for (int first = 1; first < argc; first++) {
        int end = first;
        while (end < argc && strcmp(argv[end], "+") != 0)
            end++;
        argv[end] = NULL; /* as programs expect behind their arguments */
        if (end > first) {
            const int status = run(end - first, argv + first);
            if (worst == 0)
                worst = status;
        }
        first = end;
    }
    return worst;
}
