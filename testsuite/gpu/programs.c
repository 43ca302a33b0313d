/* What demo programs for OpenCL in one process share: the context of a device and the program that was built last. Drivers take up to
 * twenty seconds for a program, and the demo programs of one project build the same one in each run.
 *
 * The functions have the names of OpenCL's, so that those programs find them first; many.c is linked with -rdynamic for that. Types are
 * spelled out, since a machine with a driver may have no headers. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *handle; /* cl_context, cl_device_id, cl_program */
typedef void (*function)(void);

void ready(void); /* many.c's: what takes time is over */

enum { success = 0, invalid_operation = -59, out_of_host_memory = -6 };

/* The context of one device. */
static struct {
    handle device, context;
} device_kept;

/* A program and what it was made from: for whom, the source as one text, and the options that it was built with, NULL before. */
static struct {
    handle context, program;
    char *source, *options;
} kept;

/* A function of the loader's; the demo programs brought it into the process, each for itself. */
static function loaders(const char *name) {
    void *const loader = dlopen("libOpenCL.so.1", RTLD_NOW);
    function found = NULL;
    if (loader != NULL)
        *(void **)&found = dlsym(loader, name);
    if (found == NULL) {
        fprintf(stderr, "%s: %s\n", name, dlerror());
        exit(127);
    }
    return found;
}

static void retain(const char *name, handle object) { ((int32_t (*)(handle))loaders(name))(object); }

handle clCreateContext(const intptr_t *properties, uint32_t count, const handle *devices,
                       void (*notify)(const char *, const void *, size_t, void *), void *data, int32_t *code) {
    const int plain = properties == NULL && count == 1 && notify == NULL;
    if (!plain || device_kept.context == NULL || device_kept.device != devices[0]) {
        const handle made = ((handle(*)(const intptr_t *, uint32_t, const handle *, void (*)(const char *, const void *, size_t, void *),
                                        void *, int32_t *))loaders("clCreateContext"))(properties, count, devices, notify, data, code);
        if (!plain || made == NULL)
            return made;
        device_kept.device = devices[0];
        device_kept.context = made;
    }
    retain("clRetainContext", device_kept.context);
    if (code != NULL)
        *code = success;
    return device_kept.context;
}

/* The lines as one text, to be freed; NULL without memory. */
static char *joined(uint32_t count, const char *const *lines, const size_t *lengths) {
    size_t size = 1, at = 0;
    for (uint32_t i = 0; i < count; i++)
        size += lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(lines[i]);
    char *const text = malloc(size);
    for (uint32_t i = 0; i < count && text != NULL; i++) {
        const size_t n = lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(lines[i]);
        memcpy(text + at, lines[i], n);
        at += n;
    }
    if (text != NULL)
        text[at] = 0;
    return text;
}

static void forget(void) {
    if (kept.program != NULL)
        ((int32_t (*)(handle))loaders("clReleaseProgram"))(kept.program);
    free(kept.source);
    free(kept.options);
    memset(&kept, 0, sizeof kept);
}

handle clCreateProgramWithSource(handle context, uint32_t count, const char **lines, const size_t *lengths, int32_t *code) {
    char *const source = joined(count, lines, lengths);
    if (source == NULL) {
        if (code != NULL)
            *code = out_of_host_memory;
        return NULL;
    }
    if (kept.program != NULL && kept.context == context && strcmp(kept.source, source) == 0) {
        free(source);
        if (code != NULL)
            *code = success;
    } else {
        forget();
        kept.source = source;
        kept.context = context;
        kept.program = ((handle(*)(handle, uint32_t, const char **, const size_t *, int32_t *))loaders("clCreateProgramWithSource"))(
            context, count, lines, lengths, code);
        if (kept.program == NULL)
            return NULL;
    }
    retain("clRetainProgram", kept.program);
    return kept.program;
}

int32_t clBuildProgram(handle program, uint32_t count, const handle *devices, const char *options, void (*notify)(handle, void *),
                       void *data) {
    if (program == kept.program && kept.options != NULL)
        return strcmp(kept.options, options) == 0 ? success : invalid_operation;
    const int32_t code =
        ((int32_t (*)(handle, uint32_t, const handle *, const char *, void (*)(handle, void *), void *))loaders("clBuildProgram"))(
            program, count, devices, options, notify, data);
    if (code == success && program == kept.program) {
        kept.options = malloc(strlen(options) + 1);
        if (kept.options == NULL)
            return out_of_host_memory;
        strcpy(kept.options, options);
    }
    ready();
    return code;
}
