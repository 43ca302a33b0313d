// Sines, cosines and tangents of $ angles side by side.

// The quadrant around which x lies, as *q, and how far x is from its middle: to a float's precision for |x| up to 2^20.
float$ imgc_quadrant_f32x$(float$ x, int$ *q)
{
    #pragma OPENCL FP_CONTRACT ON
    const double$ t = __builtin_convertvector(x, double$);
    const double$ n = imgc_floor_f64x$(t * 0.63661977236758134308 + 0.5);
    *q = __builtin_convertvector(n, int$);
    return __builtin_convertvector(t - n * 1.57079631090164184570 - n * 1.58932547735281966916e-8, float$);
}

// The sine of x, for x as near to 0 as a quarter of pi.
float$ imgc_sin_near_f32x$(float$ x)
{
    #pragma OPENCL FP_CONTRACT ON
    const float$ z = x * x;
    float$ p = -0x1.994062p-13f * z + 0x1.110730p-7f;
    p = p * z - 0x1.555546p-3f;
    return p * (z * x) + x;
}

float$ imgc_cos_near_f32x$(float$ x)
{
    #pragma OPENCL FP_CONTRACT ON
    const float$ z = x * x;
    float$ p = 0x1.99ff40p-16f * z - 0x1.6c0c82p-10f;
    p = p * z + 0x1.55554ap-5f;
    p = p * z - 0.5f;
    return p * z + 1.0f;
}

// Whether an angle is so large that the quadrant takes more bits.
bool imgc_far_f32x$(float$ x)
{
    const float$ ax = __builtin_astype(__builtin_astype(x, int$) & 0x7fffffff, float$);
#if $ == 16 && defined(__AVX512F__)
    return __builtin_ia32_cmpps512_mask((float$)(0x1p20f), ax, 1, (ushort)0xffff, 4) != 0;
#elif $ == 8 && defined(__AVX512VL__)
    return __builtin_ia32_cmpps256_mask((float$)(0x1p20f), ax, 1, (uchar)0xff) != 0;
#else
    return any(0x1p20f < ax);
#endif
}

// A sine, q quadrants on.
float$ imgc_turned_f32x$(float$ r, int$ q)
{
    const float$ v = (q & 1) != 0 ? imgc_cos_near_f32x$(r) : imgc_sin_near_f32x$(r);
    return __builtin_astype(__builtin_astype(v, int$) ^ ((q & 2) << 30), float$);
}

float$ imgc_sin_f32x$(float$ x)
{
    int$ q;
    const float$ r = imgc_quadrant_f32x$(x, &q);
    float$ result = imgc_turned_f32x$(r, q);
    if (imgc_far_f32x$(x)) {
        for (int i = 0; i < $; ++i) {
            result[i] = sin(x[i]);
        }
    }
    return result;
}

float$ imgc_cos_f32x$(float$ x)
{
    int$ q;
    const float$ r = imgc_quadrant_f32x$(x, &q);
    float$ result = imgc_turned_f32x$(r, q + 1);
    if (imgc_far_f32x$(x)) {
        for (int i = 0; i < $; ++i) {
            result[i] = cos(x[i]);
        }
    }
    return result;
}

float$ imgc_tan_f32x$(float$ x)
{
    int$ q;
    const float$ r = imgc_quadrant_f32x$(x, &q);
    float$ result = imgc_turned_f32x$(r, q) / imgc_turned_f32x$(r, q + 1);
    if (imgc_far_f32x$(x)) {
        for (int i = 0; i < $; ++i) {
            result[i] = tan(x[i]);
        }
    }
    return result;
}
