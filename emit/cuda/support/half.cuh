// f16 and bf16 are held in float; every operation rounds its result to the nearest value of the kind, ties to even.

// The bits of memory and back.
static __device__ __forceinline__ uint16_t imgc_to_f16(float x)
{
    return __half_as_ushort(__float2half_rn(x));
}

static __device__ __forceinline__ float imgc_from_f16(uint16_t bits)
{
    return __half2float(__ushort_as_half(bits));
}

static __device__ __forceinline__ float2 imgc_from_f16x2(ushort2 bits)
{
    return float2{imgc_from_f16(bits.x), imgc_from_f16(bits.y)};
}

static __device__ __forceinline__ float3 imgc_from_f16x3(ushort3 bits)
{
    return float3{imgc_from_f16(bits.x), imgc_from_f16(bits.y), imgc_from_f16(bits.z)};
}

static __device__ __forceinline__ float4 imgc_from_f16x4(ushort4 bits)
{
    return float4{imgc_from_f16(bits.x), imgc_from_f16(bits.y), imgc_from_f16(bits.z), imgc_from_f16(bits.w)};
}

static __device__ __forceinline__ ushort2 imgc_to_f16x2(float2 x)
{
    return ushort2{imgc_to_f16(x.x), imgc_to_f16(x.y)};
}

static __device__ __forceinline__ ushort4 imgc_to_f16x4(float4 x)
{
    return ushort4{imgc_to_f16(x.x), imgc_to_f16(x.y), imgc_to_f16(x.z), imgc_to_f16(x.w)};
}

static __device__ __forceinline__ float imgc_f16(float x)
{
    return __half2float(__float2half_rn(x));
}

static __device__ __forceinline__ uint16_t imgc_to_bf16(float x)
{
    return __bfloat16_as_ushort(__float2bfloat16_rn(x));
}

static __device__ __forceinline__ float imgc_from_bf16(uint16_t bits)
{
    return __bfloat162float(__ushort_as_bfloat16(bits));
}

static __device__ __forceinline__ float2 imgc_from_bf16x2(ushort2 bits)
{
    return float2{imgc_from_bf16(bits.x), imgc_from_bf16(bits.y)};
}

static __device__ __forceinline__ float3 imgc_from_bf16x3(ushort3 bits)
{
    return float3{imgc_from_bf16(bits.x), imgc_from_bf16(bits.y), imgc_from_bf16(bits.z)};
}

static __device__ __forceinline__ float4 imgc_from_bf16x4(ushort4 bits)
{
    return float4{imgc_from_bf16(bits.x), imgc_from_bf16(bits.y), imgc_from_bf16(bits.z), imgc_from_bf16(bits.w)};
}

static __device__ __forceinline__ ushort2 imgc_to_bf16x2(float2 x)
{
    return ushort2{imgc_to_bf16(x.x), imgc_to_bf16(x.y)};
}

static __device__ __forceinline__ ushort4 imgc_to_bf16x4(float4 x)
{
    return ushort4{imgc_to_bf16(x.x), imgc_to_bf16(x.y), imgc_to_bf16(x.z), imgc_to_bf16(x.w)};
}

static __device__ __forceinline__ float imgc_bf16(float x)
{
    return __bfloat162float(__float2bfloat16_rn(x));
}

// Two floats as the word that they are, and back.
static __device__ __forceinline__ __half2 imgc_two_f16(uint32_t word)
{
    __half2 x;
    memcpy((void *)&x, &word, sizeof x);
    return x;
}

static __device__ __forceinline__ uint32_t imgc_word_f16(__half2 x)
{
    uint32_t word;
    memcpy(&word, (const void *)&x, sizeof word);
    return word;
}

static __device__ __forceinline__ __nv_bfloat162 imgc_two_bf16(uint32_t word)
{
    __nv_bfloat162 x;
    memcpy((void *)&x, &word, sizeof x);
    return x;
}

static __device__ __forceinline__ uint32_t imgc_word_bf16(__nv_bfloat162 x)
{
    uint32_t word;
    memcpy(&word, (const void *)&x, sizeof word);
    return word;
}

// One kind's bits taken for the other's.
static __device__ __forceinline__ float imgc_bits_f16_bf16(float x)
{
    return imgc_from_bf16(imgc_to_f16(x));
}

static __device__ __forceinline__ float imgc_bits_bf16_f16(float x)
{
    return imgc_from_f16(imgc_to_bf16(x));
}

// Rounded to odd, a double keeps in a float all that a second rounding to a narrower kind needs to know.
static __device__ __forceinline__ float imgc_odd_f64(double x)
{
    float y = (float)x;
    uint32_t bits = __float_as_uint(y);
    if (isnan(x) || (double)y == x || (bits & 1) != 0)
        return y;
    return __uint_as_float(fabs(x) > fabs((double)y) ? bits + 1 : bits - 1);
}

static __device__ __forceinline__ float imgc_f16_f64(double x)
{
    return imgc_f16(imgc_odd_f64(x));
}

static __device__ __forceinline__ float imgc_bf16_f64(double x)
{
    return imgc_bf16(imgc_odd_f64(x));
}

// Of the bits below the upper 24 the rounding needs to know only whether one is set.
static __device__ __forceinline__ float imgc_bf16_u64(unsigned long long x)
{
    if (x >> 24 == 0)
        return imgc_bf16((float)x);
    int shift = 40 - __clzll((long long)x);
    uint32_t kept = (uint32_t)(x >> shift) | (x << (64 - shift) != 0);
    return imgc_bf16(ldexpf((float)kept, shift));
}

static __device__ __forceinline__ float imgc_bf16_i64(long long x)
{
    return x < 0 ? -imgc_bf16_u64(0uLL - (unsigned long long)x) : imgc_bf16_u64((unsigned long long)x);
}

// The product of two f16 is exact in float. Its sum with c is rounded to odd before it is rounded to f16.
static __device__ __forceinline__ float imgc_fma_f16(float a, float b, float c)
{
    float p = a * b;
    float s = p + c;
    float d = s - p;
    float lost = (p - (s - d)) + (c - d);
    uint32_t bits = __float_as_uint(s);
    if (lost != 0.0f && !isinf(s) && !isnan(s) && (bits & 1) == 0)
        s = __uint_as_float((lost > 0.0f) == (s > 0.0f) ? bits + 1 : bits - 1);
    return imgc_f16(s);
}

// Products of bf16 may leave the range of float but not that of double, in which they are exact.
static __device__ __forceinline__ float imgc_fma_bf16(float a, float b, float c)
{
    double p = (double)a * (double)b;
    double s = p + (double)c;
    double d = s - p;
    double lost = (p - (s - d)) + ((double)c - d);
    unsigned long long bits = (unsigned long long)__double_as_longlong(s);
    if (lost != 0.0 && !isinf(s) && !isnan(s) && (bits & 1) == 0)
        s = __longlong_as_double((long long)((lost > 0.0) == (s > 0.0) ? bits + 1 : bits - 1));
    return imgc_bf16_f64(s);
}

static __device__ __forceinline__ float imgc_mix_f16(float a, float b, float t)
{
    return imgc_f16(a + imgc_f16(imgc_f16(b - a) * t));
}

static __device__ __forceinline__ float imgc_mix_bf16(float a, float b, float t)
{
    return imgc_bf16(a + imgc_bf16(imgc_bf16(b - a) * t));
}

static __device__ __forceinline__ float imgc_smoothstep_f16(float a, float b, float x)
{
    float t = fminf(fmaxf(imgc_f16(imgc_f16(x - a) / imgc_f16(b - a)), 0.0f), 1.0f);
    return imgc_f16(imgc_f16(t * t) * imgc_f16(3.0f - imgc_f16(2.0f * t)));
}

static __device__ __forceinline__ float imgc_smoothstep_bf16(float a, float b, float x)
{
    float t = fminf(fmaxf(imgc_bf16(imgc_bf16(x - a) / imgc_bf16(b - a)), 0.0f), 1.0f);
    return imgc_bf16(imgc_bf16(t * t) * imgc_bf16(3.0f - imgc_bf16(2.0f * t)));
}

// Two at a time, which CUDA has of bf16 for devices alone that are newer than others for which it compiles.
static __device__ __forceinline__ uint32_t imgc_fma_f16x2(uint32_t x, uint32_t y, uint32_t z)
{
    return imgc_word_f16(__hfma2(imgc_two_f16(x), imgc_two_f16(y), imgc_two_f16(z)));
}
