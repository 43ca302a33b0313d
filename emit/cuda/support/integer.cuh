// Integer operators where C leaves results open: x / 0 and x % 0 are 0, MIN / -1 wraps to MIN and MIN % -1 is 0; mod and
// floordiv round the quotient down. Those of 32 bits divide by 1 in place of what cannot be divided by: without a branch around them, compilers find the reciprocal of
// a divisor once that several divisions have in common.

static __device__ __forceinline__ int imgc_div_i32(int a, int b)
{
    const int quotient = a / (b == 0 || b == -1 ? 1 : b);
    return b == 0 ? 0 : b == -1 ? (int)(0u - (uint32_t)a) : quotient;
}

static __device__ __forceinline__ long long imgc_div_i64(long long a, long long b)
{
    return b == 0 ? 0 : b == -1 ? (long long)(0uLL - (unsigned long long)a) : a / b;
}

static __device__ __forceinline__ uint32_t imgc_div_u32(uint32_t a, uint32_t b)
{
    const uint32_t quotient = a / (b == 0 ? 1 : b);
    return b == 0 ? 0 : quotient;
}

static __device__ __forceinline__ unsigned long long imgc_div_u64(unsigned long long a, unsigned long long b)
{
    return b == 0 ? 0 : a / b;
}

static __device__ __forceinline__ int imgc_rem_i32(int a, int b)
{
    return a % (b == 0 || b == -1 ? 1 : b);
}

static __device__ __forceinline__ long long imgc_rem_i64(long long a, long long b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}

static __device__ __forceinline__ uint32_t imgc_rem_u32(uint32_t a, uint32_t b)
{
    return a % (b == 0 ? 1 : b);
}

static __device__ __forceinline__ unsigned long long imgc_rem_u64(unsigned long long a, unsigned long long b)
{
    return b == 0 ? 0 : a % b;
}

static __device__ __forceinline__ int imgc_mod_i32(int a, int b)
{
    const int r = imgc_rem_i32(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static __device__ __forceinline__ long long imgc_mod_i64(long long a, long long b)
{
    const long long r = imgc_rem_i64(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static __device__ __forceinline__ int imgc_floordiv_i32(int a, int b)
{
    const int r = imgc_rem_i32(a, b);
    return imgc_div_i32(a, b) - (r != 0 && (r < 0) != (b < 0));
}

// The reciprocal of a divisor, to a unit of the last place; 0 of 0.
static __device__ __forceinline__ float imgc_part(int b)
{
#if defined(__CUDA_ARCH__)
    float part;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(part) : "f"((float)b));
#else
    const float part = 1.0f / (float)b;
#endif
    return b == 0 ? 0.0f : part;
}

// Of dividends up to 2^20 and divisors up to 2^22. Half of what a dividend is counted in keeps the product away from the whole number that it is not to reach.
static __device__ __forceinline__ int imgc_div_short_i32(int a, int b)
{
    return (int)(((float)a + copysignf(0.5f, (float)a)) * imgc_part(b));
}

static __device__ __forceinline__ int imgc_rem_short_i32(int a, int b)
{
    return b == 0 ? 0 : a - b * (int)(((float)a + copysignf(0.5f, (float)a)) * imgc_part(b));
}

static __device__ __forceinline__ int imgc_floordiv_short_i32(int a, int b)
{
    return (int)floorf(((float)a + copysignf(0.5f, (float)b)) * imgc_part(b));
}

static __device__ __forceinline__ int imgc_mod_short_i32(int a, int b)
{
    return b == 0 ? 0 : a - b * (int)floorf(((float)a + copysignf(0.5f, (float)b)) * imgc_part(b));
}

static __device__ __forceinline__ long long imgc_floordiv_i64(long long a, long long b)
{
    const long long r = imgc_rem_i64(a, b);
    return imgc_div_i64(a, b) - (r != 0 && (r < 0) != (b < 0));
}

// The smallest value wraps to itself. Of a number and its negative, both taken for unsigned, the absolute value is the smaller one.
// NVIDIA's compilers see an absolute value in a choice by the sign, and compute a remainder of it as if it could not be negative.

static __device__ __forceinline__ int imgc_abs_i32(int a)
{
    return (int)min((uint32_t)a, 0u - (uint32_t)a);
}

static __device__ __forceinline__ long long imgc_abs_i64(long long a)
{
    return (long long)min((unsigned long long)a, 0uLL - (unsigned long long)a);
}

// How far two numbers are apart whose difference does not wrap.
static __device__ __forceinline__ int imgc_abs_diff(int a, int b)
{
#if defined(__CUDA_ARCH__)
    return (int)__sad(a, b, 0u);
#else
    return a < b ? b - a : a - b;
#endif
}

static __device__ __forceinline__ int imgc_sign_i32(int a)
{
    return (a > 0) - (a < 0);
}

static __device__ __forceinline__ long long imgc_sign_i64(long long a)
{
    return (a > 0) - (a < 0);
}

static __device__ __forceinline__ uint32_t imgc_sign_u32(uint32_t a)
{
    return a != 0;
}

static __device__ __forceinline__ unsigned long long imgc_sign_u64(unsigned long long a)
{
    return a != 0;
}

static __device__ __forceinline__ int imgc_popcount_i32(int a)
{
    return __popc((uint32_t)a);
}

static __device__ __forceinline__ int imgc_clz_i32(int a)
{
    return __clz(a);
}

static __device__ __forceinline__ int imgc_popcount_u32(uint32_t a)
{
    return __popc(a);
}

static __device__ __forceinline__ int imgc_clz_u32(uint32_t a)
{
    return __clz((int)a);
}

static __device__ __forceinline__ int imgc_popcount_i64(long long a)
{
    return __popcll((unsigned long long)a);
}

static __device__ __forceinline__ int imgc_clz_i64(long long a)
{
    return __clzll(a);
}

static __device__ __forceinline__ int imgc_popcount_u64(unsigned long long a)
{
    return __popcll(a);
}

static __device__ __forceinline__ int imgc_clz_u64(unsigned long long a)
{
    return __clzll((long long)a);
}

// The lower 16 bits. ptxas 12.4 extends the negative of 16 bits before it negates, so that the negative of -32768 is 32768 to comparisons
// and conversions behind it. It gets the negative of 32 bits right; the empty instruction keeps compilers from seeing that 16 would do.
static __device__ __forceinline__ int16_t imgc_cut_i16(int a)
{
#ifdef __CUDA_ARCH__
    asm("" : "+r"(a));
#endif
    return (int16_t)a;
}

// Where a line starts: its number times the distance of lines, neither of them negative. One instruction makes a product of 64 bits of two of 32.
static __device__ __forceinline__ long long imgc_line(long long number, long long pitch)
{
    return (long long)((unsigned long long)(unsigned int)number * (unsigned int)pitch);
}
