// Powers of e, of 2 and of any number, and logarithms, of $ floats side by side. They have no branches and no tables, and results near the
// ends of what floats hold: drivers for processors have functions that are many times as slow, or call one of the C library for each lane.

// e to the power x, for x as near to 0 as half of ln 2.
float$ imgc_exp_near_f32x$(float$ x)
{
    #pragma OPENCL FP_CONTRACT ON
    float$ p = 0x1.1062560p-7f * x + 0x1.572a660p-5f;
    p = p * x + 0x1.5557b00p-3f;
    p = p * x + 0x1.fffdfc0p-2f;
    p = p * x + 1.0f;
    return p * x + 1.0f;
}

// p times 2 to the power n, an integer between -300 and 300, rounded once.
float$ imgc_scaled_f32x$(float$ p, float$ n)
{
#if $ == 16 && defined(__AVX512F__)
    return __builtin_ia32_scalefps512_mask(p, n, p, (ushort)0xffff, 4);
#elif $ == 8 && defined(__AVX512VL__)
    return __builtin_ia32_scalefps256_mask(p, n, p, (uchar)0xff);
#else
    const int$ all = __builtin_convertvector(n, int$);
    const int$ half1 = all >> 1;
    const int$ half2 = all - half1;
    return p * __builtin_astype((half1 + 127) << 23, float$) * __builtin_astype((half2 + 127) << 23, float$);
#endif
}

// Below -104 it is 0, above 89 infinite; NaN is neither. What ln 2 is taken for has few bits and a rest, so that n times it is exact.
float$ imgc_exp_f32x$(float$ x)
{
    #pragma OPENCL FP_CONTRACT ON
    x = x < -104.0f ? (float$)(-104.0f) : x;
    x = x > 89.0f ? (float$)(89.0f) : x;
    const float$ n = imgc_floor_f32x$(x * 0x1.715476p+0f + 0.5f);
    const float$ high = x - n * 0x1.63p-1f;
    return imgc_scaled_f32x$(imgc_exp_near_f32x$(high + n * 0x1.bd0106p-13f), n);
}

// Of x between -87 and 87. The sum with 1.5 * 2^23 has the nearest integer in its last bits, where nothing takes it apart.
float$ imgc_exp_short_f32x$(float$ x)
{
    #pragma OPENCL FP_CONTRACT ON
#ifdef __FAST_RELAXED_MATH__
    const float$ n = imgc_floor_f32x$(x * 0x1.715476p+0f + 0.5f);
    const int$ bits = __builtin_convertvector(n, int$);
#else
    const float$ sum = x * 0x1.715476p+0f + 0x1.8p23f;
    const float$ n = sum - 0x1.8p23f;
    const int$ bits = __builtin_astype(sum, int$);
#endif
    const float$ high = x - n * 0x1.63p-1f;
    const float$ p = imgc_exp_near_f32x$(high + n * 0x1.bd0106p-13f);
    return __builtin_astype(__builtin_astype(p, int$) + (bits << 23), float$);
}

float$ imgc_exp2_f32x$(float$ x)
{
    #pragma OPENCL FP_CONTRACT ON
    x = x < -151.0f ? (float$)(-151.0f) : x;
    x = x > 129.0f ? (float$)(129.0f) : x;
    const float$ n = imgc_floor_f32x$(x + 0.5f);
    return imgc_scaled_f32x$(imgc_exp_near_f32x$((x - n) * 0x1.62e430p-1f), n);
}

// The exponent of a float above 0 that is next to its logarithm to base 2, as *n, and what is left: between the roots of 1/2 and of 2.
float$ imgc_mantissa_f32x$(float$ x, int$ *n)
{
    const int$ tiny = x < 0x1p-126f;
    const int$ bits = __builtin_astype(tiny ? x * 0x1p24f : x, int$);
    const int$ e = (bits - 0x3f3504f3) >> 23;
    *n = tiny ? e - 24 : e;
    return __builtin_astype(bits - (e << 23), float$);
}

float$ imgc_log2_f32x$(float$ x)
{
    #pragma OPENCL FP_CONTRACT ON
    int$ n;
    const float$ f = imgc_mantissa_f32x$(x, &n) - 1.0f;
    float$ p = 0x1.645e3e0p-4f * f - 0x1.2432b00p-3f;
    p = p * f + 0x1.3174640p-3f;
    p = p * f - 0x1.53824a0p-3f;
    p = p * f + 0x1.98d7f20p-3f;
    p = p * f - 0x1.0003820p-2f;
    p = p * f + 0x1.5556d80p-2f;
    p = p * f - 0.5f;
    const float$ ln = p * f * f + f;
    const float$ result = ln * 0x1.715476p+0f + __builtin_convertvector(n, float$);
    const float$ end = x == 0.0f ? (float$)(-INFINITY) : x < 0.0f ? (float$)(NAN) : x;
    return x > 0.0f && x <= FLT_MAX ? result : end;
}

// The logarithm of x has double's precision, since y times its error is that of the result.
float$ imgc_pow_f32x$(float$ x, float$ y)
{
    #pragma OPENCL FP_CONTRACT ON
    const float$ ax = __builtin_astype(__builtin_astype(x, int$) & 0x7fffffff, float$);
    int$ e;
    const double$ f = __builtin_convertvector(imgc_mantissa_f32x$(ax, &e) - 1.0f, double$);
    const double$ s = f / (f + 2.0);
    const double$ z = s * s;
    double$ p = 0.23582432353206592 * z + 0.2853729464676732;
    p = p * z + 0.4000033539387147;
    p = p * z + 0.6666666564463749;
    p = p * z + 2.0;
    // 0 and infinity have logarithms beyond all of y's
    const float$ end = ax == 0.0f ? (float$)(-FLT_MAX) : ax > FLT_MAX ? (float$)(FLT_MAX) : ax - ax;
    const double$ whole = __builtin_convertvector(e, double$) + __builtin_convertvector(end, double$) * 1e200;
    double$ t = __builtin_convertvector(y, double$) * (s * p * 1.4426950408889634 + whole);
    t = t < -200.0 ? (double$)(-200.0) : t;
    t = t > 200.0 ? (double$)(200.0) : t;
    const double$ n = imgc_floor_f64x$(t + 0.5);
    const float$ r = __builtin_convertvector(t - n, float$) * 0x1.62e430p-1f;
    float$ result = imgc_scaled_f32x$(imgc_exp_near_f32x$(r), __builtin_convertvector(n, float$));
    const int$ one = y == 0.0f || x == 1.0f || (ax == 1.0f && fabs(y) > FLT_MAX);
    result = one ? (float$)(1.0f) : result;
    const int$ whole_y = imgc_floor_f32x$(y) == y;
    const int$ odd = whole_y && imgc_floor_f32x$(y * 0.5f) != y * 0.5f;
    const int$ sign = odd & __builtin_astype(x, int$) & (int$)(1 << 31);
    const int$ none = x < 0.0f && !whole_y && x >= -FLT_MAX && y != 0.0f;
    return none ? (float$)(NAN) : __builtin_astype(__builtin_astype(result, int$) ^ sign, float$);
}
