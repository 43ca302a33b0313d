// What the language says of integers where C says nothing: x / 0 and x % 0 are 0. Sums and products of host values saturate at
// 64 bits; such a value is far beyond every limit and is refused where it is used.

#include <limits.h>
#include <math.h>
#include <stdint.h>

static int64_t imgc_add_i64(int64_t a, int64_t b) {
    if (b >= 0)
        return a > INT64_MAX - b ? INT64_MAX : a + b;
    return a < INT64_MIN - b ? INT64_MIN : a + b;
}

static int64_t imgc_neg_i64(int64_t a) { return a == INT64_MIN ? INT64_MAX : -a; }

static int64_t imgc_sub_i64(int64_t a, int64_t b) {
    if (b <= 0)
        return a > INT64_MAX + b ? INT64_MAX : a - b;
    return a < INT64_MIN + b ? INT64_MIN : a - b;
}

static int64_t imgc_mul_i64(int64_t a, int64_t b) {
    const int64_t limit = (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
    if (a == 0 || b == 0)
        return 0;
    if (limit == INT64_MAX ? (a > 0 ? a > INT64_MAX / b : a < INT64_MAX / b) : (a > 0 ? b < INT64_MIN / a : a < INT64_MIN / b))
        return limit;
    return a * b;
}

static int64_t imgc_div_i64(int64_t a, int64_t b) { return b == 0 ? 0 : b == -1 ? imgc_neg_i64(a) : a / b; }

static int64_t imgc_rem_i64(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }

static int64_t imgc_mod_i64(int64_t a, int64_t b) {
    const int64_t r = imgc_rem_i64(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static int64_t imgc_floordiv_i64(int64_t a, int64_t b) {
    const int64_t r = imgc_rem_i64(a, b);
    return imgc_div_i64(a, b) - (r != 0 && (r < 0) != (b < 0));
}

static int64_t imgc_abs_i64(int64_t a) { return a < 0 ? imgc_neg_i64(a) : a; }

static int64_t imgc_sign_i64(int64_t a) { return (a > 0) - (a < 0); }

static int64_t imgc_min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t imgc_max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

static int64_t imgc_shl_i64(int64_t a, int64_t n) {
    for (n &= 63; n > 0 && a != INT64_MAX && a != INT64_MIN; n--)
        a = imgc_mul_i64(a, 2);
    return a;
}

static int64_t imgc_shr_i64(int64_t a, int64_t n) {
    n &= 63;
    return a < 0 ? ~(int64_t)((uint64_t)~a >> n) : (int64_t)((uint64_t)a >> n);
}

static uint64_t imgc_div_u64(uint64_t a, uint64_t b) { return b == 0 ? 0 : a / b; }

static uint64_t imgc_rem_u64(uint64_t a, uint64_t b) { return b == 0 ? 0 : a % b; }

static uint64_t imgc_min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t imgc_max_u64(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint32_t imgc_div_u32(uint32_t a, uint32_t b) { return b == 0 ? 0 : a / b; }

static uint32_t imgc_rem_u32(uint32_t a, uint32_t b) { return b == 0 ? 0 : a % b; }

static uint32_t imgc_min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t imgc_max_u32(uint32_t a, uint32_t b) { return a > b ? a : b; }

static int64_t imgc_trunc(double x, double lo, double hi) {
    if (!(x == x))
        return 0;
    if (x <= lo)
        return lo <= (double)INT64_MIN ? INT64_MIN : (int64_t)lo;
    if (x >= hi)
        return hi >= (double)INT64_MAX ? INT64_MAX : (int64_t)hi;
    return (int64_t)x;
}

static int8_t imgc_to_i8(double x) { return (int8_t)imgc_trunc(x, INT8_MIN, INT8_MAX); }

static int16_t imgc_to_i16(double x) { return (int16_t)imgc_trunc(x, INT16_MIN, INT16_MAX); }

static int32_t imgc_to_i32(double x) { return (int32_t)imgc_trunc(x, INT32_MIN, INT32_MAX); }

static int64_t imgc_to_i64(double x) { return imgc_trunc(x, (double)INT64_MIN, (double)INT64_MAX); }

static uint8_t imgc_to_u8(double x) { return (uint8_t)imgc_trunc(x, 0, UINT8_MAX); }

static uint16_t imgc_to_u16(double x) { return (uint16_t)imgc_trunc(x, 0, UINT16_MAX); }

static uint32_t imgc_to_u32(double x) { return (uint32_t)imgc_trunc(x, 0, UINT32_MAX); }

static uint64_t imgc_to_u64(double x) {
    if (!(x > 0))
        return 0;
    return x >= 18446744073709551616.0 ? UINT64_MAX : (uint64_t)x;
}

static int8_t imgc_round_i8(double x) { return imgc_to_i8(rint(x)); }

static int16_t imgc_round_i16(double x) { return imgc_to_i16(rint(x)); }

static int32_t imgc_round_i32(double x) { return imgc_to_i32(rint(x)); }

static int64_t imgc_round_i64(double x) { return imgc_to_i64(rint(x)); }

static uint8_t imgc_round_u8(double x) { return imgc_to_u8(rint(x)); }

static uint16_t imgc_round_u16(double x) { return imgc_to_u16(rint(x)); }

static uint32_t imgc_round_u32(double x) { return imgc_to_u32(rint(x)); }

static uint64_t imgc_round_u64(double x) { return imgc_to_u64(rint(x)); }

static int64_t imgc_sat_i64(int64_t x, int64_t lo, int64_t hi) { return x < lo ? lo : x > hi ? hi : x; }

static int8_t imgc_sat_i8(int64_t x) { return (int8_t)imgc_sat_i64(x, INT8_MIN, INT8_MAX); }

static int16_t imgc_sat_i16(int64_t x) { return (int16_t)imgc_sat_i64(x, INT16_MIN, INT16_MAX); }

static int32_t imgc_sat_i32(int64_t x) { return (int32_t)imgc_sat_i64(x, INT32_MIN, INT32_MAX); }

static uint8_t imgc_sat_u8(int64_t x) { return (uint8_t)imgc_sat_i64(x, 0, UINT8_MAX); }

static uint16_t imgc_sat_u16(int64_t x) { return (uint16_t)imgc_sat_i64(x, 0, UINT16_MAX); }

static uint32_t imgc_sat_u32(int64_t x) { return (uint32_t)imgc_sat_i64(x, 0, UINT32_MAX); }

static uint64_t imgc_sat_u64(int64_t x) { return x < 0 ? 0 : (uint64_t)x; }

static float imgc_mod_f32(float a, float b) {
    const float r = fmodf(a, b);
    return r == 0 ? copysignf(r, b) : (r < 0) != (b < 0) ? r + b : r;
}

static double imgc_mod_f64(double a, double b) {
    const double r = fmod(a, b);
    return r == 0 ? copysign(r, b) : (r < 0) != (b < 0) ? r + b : r;
}

// Bits that are 1, and zeros above the highest of them.
static int32_t imgc_popcount_u64(uint64_t a) {
    int32_t n = 0;
    for (; a != 0; a &= a - 1)
        n++;
    return n;
}

static int32_t imgc_popcount_i64(int64_t a) { return imgc_popcount_u64((uint64_t)a); }

static int32_t imgc_popcount_u32(uint32_t a) { return imgc_popcount_u64(a); }

static int32_t imgc_popcount_i32(int32_t a) { return imgc_popcount_u64((uint32_t)a); }

static int32_t imgc_clz_u64(uint64_t a) {
    int32_t n = 64;
    for (; a != 0; a >>= 1)
        n--;
    return n;
}

static int32_t imgc_clz_i64(int64_t a) { return imgc_clz_u64((uint64_t)a); }

static int32_t imgc_clz_u32(uint32_t a) { return imgc_clz_u64(a) - 32; }

static int32_t imgc_clz_i32(int32_t a) { return imgc_clz_u64((uint32_t)a) - 32; }

static float imgc_sign_f32(float a) { return a > 0 ? 1.0f : a < 0 ? -1.0f : a == 0 ? a : 0.0f; }

static double imgc_sign_f64(double a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : a == 0 ? a : 0.0; }

static float imgc_mix_f32(float a, float b, float t) { return a + (b - a) * t; }

static double imgc_mix_f64(double a, double b, double t) { return a + (b - a) * t; }

static float imgc_fract_f32(float a) { return a - floorf(a); }

static double imgc_fract_f64(double a) { return a - floor(a); }

static float imgc_rsqrt_f32(float a) { return 1.0f / sqrtf(a); }

static double imgc_rsqrt_f64(double a) { return 1.0 / sqrt(a); }

static float imgc_step_f32(float edge, float x) { return x < edge ? 0.0f : 1.0f; }

static double imgc_step_f64(double edge, double x) { return x < edge ? 0.0 : 1.0; }

static float imgc_smoothstep_f32(float a, float b, float x) {
    const float t = fminf(fmaxf((x - a) / (b - a), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

static double imgc_smoothstep_f64(double a, double b, double x) {
    const double t = fmin(fmax((x - a) / (b - a), 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

static float imgc_as_f32_i32(int32_t x) {
    float f;
    memcpy(&f, &x, sizeof f);
    return f;
}

static int32_t imgc_as_i32_f32(float x) {
    int32_t i;
    memcpy(&i, &x, sizeof i);
    return i;
}

static uint16_t imgc_bits_f16(float x) {
    const uint16_t sign = (uint16_t)(signbit(x) ? 0x8000 : 0);
    const double a = fabs((double)x);
    int exponent;
    double steps;
    if (x != x)
        return 0x7e00;
    if (a >= 65520.0)
        return (uint16_t)(sign | 0x7c00);
    (void)frexp(a, &exponent);
    if (exponent < -13)
        exponent = -13;
    steps = rint(ldexp(a, 11 - exponent)); /* of the last place, to nearest even */
    if (steps < 1024.0)
        return (uint16_t)(sign | (uint16_t)steps); /* subnormal, or zero */
    return (uint16_t)(sign + (uint16_t)((exponent + 13) * 1024) + (uint16_t)steps);
}

static uint16_t imgc_bits_bf16(float x) {
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    if (x != x)
        return (uint16_t)(u >> 16 | 0x40);
    return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
