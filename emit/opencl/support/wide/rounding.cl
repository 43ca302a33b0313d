// Floats to whole numbers, $ side by side: by the compiler's own functions where it has them, of which each is one instruction.

float$ imgc_floor_f32x$(float$ x)
{
#if __has_builtin(__builtin_elementwise_floor)
    return __builtin_elementwise_floor(x);
#else
    return floor(x);
#endif
}

float$ imgc_ceil_f32x$(float$ x)
{
#if __has_builtin(__builtin_elementwise_ceil)
    return __builtin_elementwise_ceil(x);
#else
    return ceil(x);
#endif
}

float$ imgc_trunc_f32x$(float$ x)
{
#if __has_builtin(__builtin_elementwise_trunc)
    return __builtin_elementwise_trunc(x);
#else
    return trunc(x);
#endif
}

double$ imgc_floor_f64x$(double$ x)
{
#if __has_builtin(__builtin_elementwise_floor)
    return __builtin_elementwise_floor(x);
#else
    return floor(x);
#endif
}

// Halves go away from zero. The difference is exact.
float$ imgc_round_f32x$(float$ x)
{
    const float$ t = imgc_trunc_f32x$(x);
    const int$ sign = __builtin_astype(x, int$) & (int$)(1 << 31);
    const int$ away = fabs(x - t) >= 0.5f;
    return t + __builtin_astype(sign | (away & __builtin_astype((float$)(1.0f), int$)), float$);
}

// The nearest integer to x between -2^16 and 2^16, halves to even.
int$ imgc_nearest_i32x$(float$ x)
{
#if $ == 16 && defined(__AVX512F__)
    return __builtin_ia32_cvtps2dq512_mask(x, (int$)(0), (ushort)0xffff, 4);
#elif $ == 8 && defined(__AVX__)
    return __builtin_ia32_cvtps2dq256(x);
#elif defined(__FAST_RELAXED_MATH__)
    return __builtin_convertvector(rint(x), int$); // compilers may take apart what is added and taken away again
#else
    return __builtin_astype(x + 0x1.8p23f, int$) - 0x4b400000;
#endif
}

// Quotients of integers up to 2^20 by others up to 2^22, 0 of what is divided by 0, by floats half of a unit further from zero. No processor divides integers side by side.
int$ imgc_div_short_i32x$(int$ a, int$ b)
{
    const float$ more = __builtin_astype((a & (int)0x80000000u) | 0x3f000000, float$);
    const float$ quotient = (__builtin_convertvector(a, float$) + more) / __builtin_convertvector(b, float$);
    return b == 0 ? (int$)(0) : __builtin_convertvector(quotient, int$);
}

int$ imgc_rem_short_i32x$(int$ a, int$ b)
{
    return b == 0 ? (int$)(0) : a - b * imgc_div_short_i32x$(a, b);
}
