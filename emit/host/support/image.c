#include "image.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int complain(const char *path, const char *what) {
    fprintf(stderr, "%s: %s\n", path, what);
    return 1;
}

static int little_endian(void) {
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1;
}

static void swap_bytes(unsigned char *data, int64_t count, int size) {
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < size / 2; k++) {
            unsigned char t = data[i * size + k];
            data[i * size + k] = data[i * size + size - 1 - k];
            data[i * size + size - 1 - k] = t;
        }
}

int64_t picture_bytes(const struct picture *p) {
    int64_t n = (int64_t)p->component * p->channels;
    for (int k = 0; k < p->rank; k++) {
        if (p->extent[k] < 1 || n > INT64_MAX / 4 / p->extent[k])
            return -1;
        n *= p->extent[k];
    }
    return n;
}

int picture_allocate(struct picture *p) {
    int64_t n = picture_bytes(p);
    p->data = n < 0 || (uint64_t)n > SIZE_MAX ? NULL : calloc((size_t)n, 1);
    if (p->data == NULL) {
        fprintf(stderr, "%s: no memory for an image of this size\n", p->name);
        return 1;
    }
    return 0;
}

/* Takes the extents of a file, channels last where there are any; an interleaved image may have them as an axis of its own. */
static int take_shape(struct picture *p, const char *path, const int64_t *shape, int rank) {
    const int want = p->rank + (p->channels != 1);
    if (rank == want + 1 && shape[rank - 1] == 1)
        rank--; /* one channel */
    if (rank != want || (p->channels != 1 && shape[rank - 1] != p->channels)) {
        fprintf(stderr, "%s: does not fit %s: %d extents", path, p->name, p->rank);
        if (p->channels != 1)
            fprintf(stderr, " and %d channels", p->channels);
        fprintf(stderr, " are wanted, the file has %d extents\n", rank);
        return 1;
    }
    for (int k = 0; k < p->rank; k++) {
        if (p->extent[k] != 0 && p->extent[k] != shape[k]) {
            fprintf(stderr, "%s: does not fit %s: extent %d is %lld instead of %lld\n", path, p->name, k, (long long)shape[k],
                    (long long)p->extent[k]);
            return 1;
        }
        p->extent[k] = shape[k];
    }
    return 0;
}

static int read_pixels(struct picture *p, FILE *f, const char *path) {
    int64_t n = picture_bytes(p), at, end;
    if (n < 0)
        return complain(path, "the image is too large");
    at = ftell(f);
    if (at >= 0 && fseek(f, 0, SEEK_END) == 0) { /* a header may lie: look before allocating */
        end = ftell(f);
        if (fseek(f, (long)at, SEEK_SET) != 0)
            return complain(path, "cannot be read");
        if (end - at < n)
            return complain(path, "the file ends before the image does");
    }
    if (picture_allocate(p) != 0)
        return 1;
    if (fread(p->data, 1, (size_t)n, f) != (size_t)n)
        return complain(path, "the file ends before the image does");
    return 0;
}

/* ---- PGM, PPM, PFM ---- */

/* One number of a header; comments are skipped. -1 where there is none. */
static double header_number(FILE *f) {
    char text[64];
    size_t n = 0;
    int c = fgetc(f);
    char *rest;
    double value;
    while (isspace(c) || c == '#') {
        if (c == '#')
            while (c != '\n' && c != EOF)
                c = fgetc(f);
        else
            c = fgetc(f);
    }
    while (c != EOF && !isspace(c) && n + 1 < sizeof text) {
        text[n++] = (char)c;
        c = fgetc(f); /* the one space behind the last number is part of the header */
    }
    text[n] = '\0';
    value = strtod(text, &rest);
    return n == 0 || *rest != '\0' ? -1e300 : value;
}

/* Whether a number of a header, which may be none, is a whole one from 1 on. */
static int is_count(double value, double most) { return value >= 1 && value <= most && (double)(int64_t)value == value; }

static int is_type(const struct picture *p, const char *type) { return strcmp(p->descr + 1, type) == 0; }

static int read_pnm(struct picture *p, FILE *f, const char *path, int kind) {
    const double width = header_number(f), height = header_number(f), top = header_number(f);
    const int real = kind == 'f' || kind == 'F';
    const int channels = kind == '6' || kind == 'F' ? 3 : 1;
    int64_t shape[3], line;
    if (!is_count(width, 1e9) || !is_count(height, 1e9) || (real ? !(top < 0 || top > 0) || top == -1e300 : !is_count(top, 65535)))
        return complain(path, "the header makes no sense");
    if (real ? !is_type(p, "f4") : top > 255 ? !is_type(p, "u2") : !is_type(p, "u1")) {
        fprintf(stderr, "%s: has %s components, but %s wants %s\n", path, real ? "float" : top > 255 ? "16-bit" : "8-bit", p->name,
                p->descr);
        return 1;
    }
    shape[0] = (int64_t)height;
    shape[1] = (int64_t)width;
    shape[2] = channels;
    if (take_shape(p, path, shape, 3) != 0 || read_pixels(p, f, path) != 0)
        return 1;
    if (!real) {
        if (p->component == 2 && little_endian())
            swap_bytes(p->data, picture_bytes(p) / 2, 2);
        return 0;
    }
    if ((top < 0) != little_endian())
        swap_bytes(p->data, picture_bytes(p) / 4, 4);
    line = shape[1] * channels * 4; /* PFM has its rows from bottom to top */
    for (int64_t y = 0; y < shape[0] / 2; y++)
        for (int64_t i = 0; i < line; i++) {
            unsigned char *a = p->data + y * line + i, *b = p->data + (shape[0] - 1 - y) * line + i, t = *a;
            *a = *b;
            *b = t;
        }
    return 0;
}

/* The image as rows of pixels of one or three components, or 0 where it is none. */
static int as_rows(const struct picture *p, int64_t *height, int64_t *width) {
    int channels = p->channels;
    if (p->rank == 3 && channels == 1)
        channels = (int)(p->extent[2] == 3 || p->extent[2] == 1 ? p->extent[2] : 0);
    else if (p->rank != 2)
        return 0;
    *height = p->extent[0];
    *width = p->extent[1];
    return channels == 1 || channels == 3 ? channels : 0;
}

static int write_pnm(const struct picture *p, FILE *f, const char *path, const char *extension) {
    int64_t height = 0, width = 0, line;
    const int channels = as_rows(p, &height, &width);
    const int real = strcmp(extension, ".pfm") == 0;
    const int grey = strcmp(extension, ".pgm") == 0;
    if (channels == 0 || (!real && grey != (channels == 1)) || (real ? !is_type(p, "f4") : !is_type(p, "u1") && !is_type(p, "u2"))) {
        fprintf(stderr, "%s: a %s file cannot hold %s (%s, %d channels); write an .npy file\n", path, extension, p->name, p->descr,
                channels);
        return 1;
    }
    fprintf(f, "P%c\n%lld %lld\n%s\n", real ? (channels == 3 ? 'F' : 'f') : channels == 3 ? '6' : '5', (long long)width,
            (long long)height, real ? (little_endian() ? "-1.0" : "1.0") : p->component == 2 ? "65535" : "255");
    line = width * channels * p->component;
    for (int64_t y = 0; y < height; y++) {
        const unsigned char *row = p->data + (real ? height - 1 - y : y) * line;
        if (p->component == 2 && little_endian()) {
            for (int64_t i = 0; i < line; i += 2) {
                fputc(row[i + 1], f);
                fputc(row[i], f);
            }
        } else {
            fwrite(row, 1, (size_t)line, f);
        }
    }
    return 0;
}

/* ---- NPY ---- */

static int read_npy(struct picture *p, FILE *f, const char *path) {
    unsigned char head[12];
    size_t length;
    char *text, *at;
    int64_t shape[8];
    int rank = 0, failed;
    if (fread(head, 1, 10, f) != 10 || memcmp(head, "\x93NUMPY", 6) != 0)
        return complain(path, "is no NPY file");
    length = (size_t)head[8] | (size_t)head[9] << 8;
    if (head[6] > 1) {
        if (fread(head + 10, 1, 2, f) != 2)
            return complain(path, "the header is cut off");
        length |= (size_t)head[10] << 16 | (size_t)head[11] << 24;
    }
    if (length > 1 << 20 || (text = malloc(length + 1)) == NULL)
        return complain(path, "the header is too long");
    failed = fread(text, 1, length, f) != length;
    text[length] = '\0';
    at = strstr(text, "'descr':");
    at = at == NULL ? NULL : strchr(at + 8, '\'');
    if (failed || at == NULL || strncmp(at + 1, p->descr, strlen(p->descr)) != 0 || at[1 + strlen(p->descr)] != '\'') {
        fprintf(stderr, "%s: the component type is not %s, which %s wants\n", path, p->descr, p->name);
        free(text);
        return 1;
    }
    at = strstr(text, "'shape':");
    failed = strstr(text, "'fortran_order': False") == NULL || at == NULL || (at = strchr(at, '(')) == NULL;
    while (!failed && rank < 8 && *++at != ')' && *at != '\0') {
        char *next;
        shape[rank] = strtoll(at, &next, 10);
        if (next == at) { /* a space or comma */
            failed = *at != ' ' && *at != ',';
            continue;
        }
        rank++;
        at = next - 1;
    }
    free(text);
    if (failed)
        return complain(path, "the header is not one of an array in C order");
    return take_shape(p, path, shape, rank) != 0 || read_pixels(p, f, path) != 0;
}

static int write_npy(const struct picture *p, FILE *f) {
    char text[256];
    int n = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (", p->descr);
    for (int k = 0; k < p->rank; k++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%lld, ", (long long)p->extent[k]);
    if (p->channels != 1)
        n += snprintf(text + n, sizeof text - (size_t)n, "%d, ", p->channels);
    n += snprintf(text + n, sizeof text - (size_t)n, "), }");
    while ((10 + n + 1) % 64 != 0)
        text[n++] = ' ';
    text[n++] = '\n';
    fwrite("\x93NUMPY\x01\x00", 1, 8, f);
    fputc(n & 255, f);
    fputc(n >> 8, f);
    fwrite(text, 1, (size_t)n, f);
    fwrite(p->data, 1, (size_t)picture_bytes(p), f);
    return 0;
}

/* ---- by extension ---- */

static const char *extension_of(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot == NULL ? "" : dot;
}

int picture_read(struct picture *p, const char *path) {
    FILE *f = fopen(path, "rb");
    int failed, kind;
    if (f == NULL) {
        perror(path);
        return 1;
    }
    if (strcmp(extension_of(path), ".npy") == 0) {
        failed = read_npy(p, f, path);
    } else if (fgetc(f) == 'P' && (kind = fgetc(f), kind == '5' || kind == '6' || kind == 'f' || kind == 'F')) {
        failed = read_pnm(p, f, path, kind);
    } else {
        failed = complain(path, "is no binary PGM, PPM or PFM, and no .npy");
    }
    fclose(f);
    return failed;
}

int picture_write(const struct picture *p, const char *path) {
    const char *extension = extension_of(path);
    const int npy = strcmp(extension, ".npy") == 0;
    FILE *f;
    int failed;
    if (!npy && strcmp(extension, ".pgm") != 0 && strcmp(extension, ".ppm") != 0 && strcmp(extension, ".pfm") != 0)
        return complain(path, "the extension must be .pgm, .ppm, .pfm or .npy");
    f = fopen(path, "wb");
    if (f == NULL) {
        perror(path);
        return 1;
    }
    failed = npy ? write_npy(p, f) : write_pnm(p, f, path, extension);
    failed |= ferror(f);
    if (fclose(f) != 0 || failed) {
        if (!failed)
            perror(path);
        remove(path);
        return 1;
    }
    return 0;
}
