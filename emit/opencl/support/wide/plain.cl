// Functions of $ floats side by side that OpenCL lacks or defines otherwise.

float$ imgc_sign_f32x$(float$ x)
{
    return x > 0.0f ? (float$)(1.0f) : x < 0.0f ? (float$)(-1.0f) : x == 0.0f ? x : (float$)(0.0f);
}

float$ imgc_fract_f32x$(float$ x)
{
    return x - imgc_floor_f32x$(x);
}

float$ imgc_mix_f32x$(float$ a, float$ b, float$ t)
{
    return a + (b - a) * t;
}

float$ imgc_smoothstep_f32x$(float$ a, float$ b, float$ x)
{
    const float$ t = fmin(fmax((x - a) / (b - a), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// The lesser of two, or the one that is no NaN: one instruction (4 says that the sign is that of the result) or three.
float$ imgc_min_f32x$(float$ x, float$ y)
{
#if $ == 16 && defined(__AVX512DQ__)
    return __builtin_ia32_rangeps512_mask(x, y, 4, x, (ushort)0xffff, 4);
#elif $ == 8 && defined(__AVX512DQ__) && defined(__AVX512VL__)
    return __builtin_ia32_rangeps256_mask(x, y, 4, x, (uchar)0xff);
#else
    const float$ least = y < x ? y : x;
    return x != x ? y : least;
#endif
}

float$ imgc_max_f32x$(float$ x, float$ y)
{
#if $ == 16 && defined(__AVX512DQ__)
    return __builtin_ia32_rangeps512_mask(x, y, 5, x, (ushort)0xffff, 4);
#elif $ == 8 && defined(__AVX512DQ__) && defined(__AVX512VL__)
    return __builtin_ia32_rangeps256_mask(x, y, 5, x, (uchar)0xff);
#else
    const float$ most = y > x ? y : x;
    return x != x ? y : most;
#endif
}
