/* Runs demo programs of projects, built as shared libraries, one after the other in one process: where a tool or a driver takes
 * seconds to start or to build a program, it does so once (programs.c).
 *
 *     many [--wait] DEMO ARGUMENT... [+ DEMO ARGUMENT...]...
 *
 * Each is announced by a line "== DEMO ARGUMENT ..." and followed by one with its status, "-- N". With --wait a line "ready" says that an
 * OpenCL program is built, and nothing more is done before a line is read. The exit status is the first that is not 0; a program that
 * cannot be loaded counts as 127. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef int entry(int argc, char **argv);

static int waits;

void ready(void); /* programs.c calls it */

void ready(void) {
    if (!waits)
        return;
    waits = 0;
    printf("ready\n");
    fflush(stdout);
    for (int c = getchar(); c != '\n' && c != EOF;)
        c = getchar();
}

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
    return start(argc, argv);
}

int main(int argc, char **argv) {
    int worst = 0;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    waits = argc > 1 && strcmp(argv[1], "--wait") == 0;
    for (int first = 1 + waits; first < argc; first++) {
        int end = first;
        while (end < argc && strcmp(argv[end], "+") != 0)
            end++;
        argv[end] = NULL; /* as programs expect behind their arguments */
        if (end > first) {
            const int status = run(end - first, argv + first);
            printf("-- %d\n", status);
            if (worst == 0)
                worst = status;
        }
        first = end;
    }
    return worst;
}
