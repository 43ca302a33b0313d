// Functions of floats that CUDA lacks or defines otherwise.

// In strict programs nothing fuses the product with a sum, and no option makes quotients and roots approximate.

static __device__ __forceinline__ float imgc_product_f32(float x, float y)
{
#ifdef IMGC_STRICT
    return __fmul_rn(x, y);
#else
    return x * y;
#endif
}

static __device__ __forceinline__ float imgc_quotient_f32(float x, float y)
{
    return __fdiv_rn(x, y);
}

// A quotient by what has a reciprocal that is a normal number, if it is finite. nvcc's own scales what might have none, by four operations more and two
// of their conditions.

static __device__ __forceinline__ float imgc_ratio_f32(float x, float y)
{
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(y));
    return x * r;
}

static __device__ __forceinline__ float imgc_root_f32(float x)
{
    return __fsqrt_rn(x);
}

static __device__ __forceinline__ double imgc_product_f64(double x, double y)
{
#ifdef IMGC_STRICT
    return __dmul_rn(x, y);
#else
    return x * y;
#endif
}

static __device__ __forceinline__ double imgc_quotient_f64(double x, double y)
{
    return __ddiv_rn(x, y);
}

static __device__ __forceinline__ double imgc_root_f64(double x)
{
    return __dsqrt_rn(x);
}

static __device__ __forceinline__ bool imgc_isnan_f32(float x)
{
    return isnan(x);
}

static __device__ __forceinline__ bool imgc_isinf_f32(float x)
{
    return isinf(x);
}

// The sign of zero is that zero, and that of NaN is 0.

static __device__ __forceinline__ float imgc_sign_f32(float x)
{
    return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : isnan(x) ? 0.0f : x;
}

static __device__ __forceinline__ float imgc_fract_f32(float x)
{
    return x - floorf(x);
}

static __device__ __forceinline__ float imgc_step_f32(float edge, float x)
{
    return x < edge ? 0.0f : 1.0f;
}

// The remainder of a floored division has the sign of the divisor, also where it is zero.

static __device__ __forceinline__ float imgc_mod_f32(float x, float y)
{
    const float r = fmodf(x, y);
    return r == 0.0f ? copysignf(r, y) : (r < 0.0f) != (y < 0.0f) ? r + y : r;
}

// Where the quotient is no large number, the whole number next to it is what its sum with 1.5 * 2^23 keeps of it, and x less so many y is exact
// (kir.ShortDivisor): below zero, it was the one above. The difference is taken the way round that gives a zero without a sign. fmodf asks how large the quotient
// is, and has other ways where it is.

static __device__ __forceinline__ float imgc_short_mod_f32(float x, float y)
{
    const float minus_q = 12582912.0f - fmaf(x, 1.0f / y, 12582912.0f);
    const float r = fmaf(minus_q, y, x);
    return r < 0.0f ? r + y : r;
}

static __device__ __forceinline__ float imgc_short_rem_f32(float x, float y)
{
    return copysignf(imgc_short_mod_f32(fabsf(x), y), x);
}

static __device__ __forceinline__ float imgc_mix_f32(float a, float b, float t)
{
    return a + imgc_product_f32(b - a, t);
}

// The greater of two floats of which one is 0 and the other one is no NaN: NVIDIA's assembler would make one instruction of it and of a minimum with 1, which gives 0 for NaN.

static __device__ __forceinline__ float imgc_short_max_f32(float x, float y)
{
    return __int_as_float(max(__float_as_int(x), __float_as_int(y)));
}

static __device__ __forceinline__ float imgc_smoothstep_f32(float a, float b, float x)
{
    const float t = fminf(fmaxf((x - a) / (b - a), 0.0f), 1.0f);
    return imgc_product_f32(imgc_product_f32(t, t), 3.0f - imgc_product_f32(2.0f, t));
}

static __device__ __forceinline__ bool imgc_isnan_f64(double x)
{
    return isnan(x);
}

static __device__ __forceinline__ bool imgc_isinf_f64(double x)
{
    return isinf(x);
}

static __device__ __forceinline__ double imgc_sign_f64(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : isnan(x) ? 0.0 : x;
}

static __device__ __forceinline__ double imgc_fract_f64(double x)
{
    return x - floor(x);
}

static __device__ __forceinline__ double imgc_step_f64(double edge, double x)
{
    return x < edge ? 0.0 : 1.0;
}

static __device__ __forceinline__ double imgc_mod_f64(double x, double y)
{
    const double r = fmod(x, y);
    return r == 0.0 ? copysign(r, y) : (r < 0.0) != (y < 0.0) ? r + y : r;
}

static __device__ __forceinline__ double imgc_mix_f64(double a, double b, double t)
{
    return a + imgc_product_f64(b - a, t);
}

static __device__ __forceinline__ double imgc_smoothstep_f64(double a, double b, double x)
{
    const double t = fmin(fmax((x - a) / (b - a), 0.0), 1.0);
    return imgc_product_f64(imgc_product_f64(t, t), 3.0 - imgc_product_f64(2.0, t));
}
