/* remainders.c: remainders by constants, of all that lies next to multiples and halves of them, are those of C, to the bit. */
#include "rest.h"

#include <cuda_runtime_api.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { divisors = 10, near = 3, most = 1 << 18 };

static const float divisor[divisors] = {6.0f, 180.0f, 0.1f, 1.0f, 1.7f, 3.0e-20f, 1.0000012f, 1.9999981f, 1.0000001f, 1.9999999f};

static float a[most], mods[divisors][most], rems[divisors][most], wild[2][most];
static short s[most], t[most];
static int n;

/* Adds a number and those next to it. */
static void add(float x) {
    for (int i = 0; i < near; i++)
        x = nextafterf(x, -INFINITY);
    for (int i = 0; i < 2*near + 1 && n < most; i++, x = nextafterf(x, INFINITY)) {
        s[n] = (short)(n % 7 == 0 ? 0 : n * 40503);
        t[n] = (short)(n % 11 == 0 ? 0 : n * 9973);
        a[n++] = x;
    }
}

static void inputs(void) {
    static const float special[] = {0.0f, -0.0f, 1e-45f, -1e-45f, 1e-38f, 3e38f, INFINITY, -INFINITY, NAN};
    for (unsigned i = 0; i < sizeof special / sizeof special[0]; i++)
        a[n++] = special[i];
    for (int d = 0; d < divisors; d++)
        for (double k = 0.5; k < 1 << 20; k = k < 20 ? k + 0.5 : floor(k * 1.06) + (n % 2) / 2.0) {
            add((float)(k * divisor[d]));
            add((float)(-k * divisor[d]));
        }
    for (int i = -126; i < 127; i++)
        add(ldexpf(1.0f, i));
}

static float mod(float x, float y) {
    const float r = fmodf(x, y);
    return r == 0.0f ? copysignf(r, y) : (r < 0.0f) != (y < 0.0f) ? r + y : r;
}

/* Whether two floats are the same, or both NaN. */
static int same(float x, float y) { return isnan(x) ? isnan(y) : memcmp(&x, &y, sizeof x) == 0; }

static int check(const char *what, int i, float x, float y, float got, float want) {
    if (same(got, want))
        return 0;
    printf("%d: %s of %a and %a is %a, not %a\n", i, what, x, y, got, want);
    return 1;
}

static int wrong(void) {
    int found = 0;
    for (int i = 0; i < n && found < 20; i++) {
        for (int d = 0; d < divisors; d++) {
            const float y = divisor[d], end = 1048576 * y, x = fminf(fmaxf(a[i], -end), end);
            found += check("mod", i, x, y, mods[d][i], mod(x, y)) + check("rem", i, x, y, rems[d][i], fmodf(x, y));
        }
        const float q = (float)s[i] / (float)t[i];
        found += check("mod", i, q, 6.0f, wild[0][i], mod(q, 6.0f)) + check("rem", i, q, 6.0f, wild[1][i], fmodf(q, 6.0f));
    }
    return found;
}

int main(void) {
    rest *library;
    inputs();
    printf("%d numbers\n", n);
    if (rest_create(0, &library) != REST_OK)
        return 1;
    const int failed = rest_run(library, &(rest_image){a, {n}, 0}, &(rest_image){s, {n}, 0}, &(rest_image){t, {n}, 0},
                           &(rest_image){mods, {divisors, n}, sizeof mods[0]}, &(rest_image){rems, {divisors, n}, sizeof rems[0]},
                           &(rest_image){wild, {2, n}, sizeof wild[0]}) != REST_OK;
    if (failed)
        printf("%s\n", rest_last_error(library));
    rest_destroy(library);
    return failed || wrong() > 0;
}
