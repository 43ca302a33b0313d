// Bytes in words, the first one lowest.

static __device__ __forceinline__ uint32_t imgc_four_bytes(const uint32_t *words, int at)
{
    const int shift = 8 * (at % 4);
    return shift == 0 ? words[at / 4] : __funnelshift_r(words[at / 4], words[at / 4 + 1], shift);
}

// The four bytes that begin skip bytes behind the lowest of two words, at most 3.
static __device__ __forceinline__ uint32_t imgc_realign(uint32_t low, uint32_t high, int skip)
{
    return __funnelshift_r(low, high, 8 * skip);
}

// The products of bytes, those of the weights signed.
static __device__ __forceinline__ int imgc_dot4(uint32_t bytes, uint32_t weights, int acc)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 610
    int sum;
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(bytes), "r"(weights), "r"(acc));
    return sum;
#else
    return (int)((uint32_t)acc + (uint32_t)((int)(bytes & 0xff) * (int8_t)weights + (int)(bytes >> 8 & 0xff) * (int8_t)(weights >> 8)
        + (int)(bytes >> 16 & 0xff) * (int8_t)(weights >> 16) + (int)(bytes >> 24) * (int8_t)(weights >> 24)));
#endif
}

// The products of halves with the two lower bytes of the weights, which are signed.
static __device__ __forceinline__ int imgc_dot2(uint32_t halves, uint32_t weights, int acc)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 610
    int sum;
    asm("dp2a.lo.u32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(halves), "r"(weights), "r"(acc));
    return sum;
#else
    return (int)((uint32_t)acc + (uint32_t)((int)(halves & 0xffff) * (int8_t)weights + (int)(halves >> 16) * (int8_t)(weights >> 8)));
#endif
}

// The bytes of two words that the hexadecimal digits of take name, the lowest last: 0 to 3 are those of low, 4 to 7 those of high.
static __device__ __forceinline__ uint32_t imgc_permute(uint32_t low, uint32_t high, uint32_t take)
{
    return __byte_perm(low, high, take);
}

// The same bytes, each of them ones where its highest bit is set, else zeros.
static __device__ __forceinline__ uint32_t imgc_signs(uint32_t low, uint32_t high, uint32_t take)
{
#if defined(__CUDA_ARCH__)
    uint32_t bytes;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(low), "r"(high), "r"(take | 0x8888u));
    return bytes;
#else
    return (__byte_perm(low, high, take) >> 7 & 0x1010101u) * 255u;
#endif
}

// The lesser of each two halves.
static __device__ __forceinline__ uint32_t imgc_min_u16x2(uint32_t x, uint32_t y)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    uint32_t least;
    asm("min.u16x2 %0, %1, %2;" : "=r"(least) : "r"(x), "r"(y));
    return least;
#else
    return __vminu2(x, y);
#endif
}

// The greater of each two halves.
static __device__ __forceinline__ uint32_t imgc_max_u16x2(uint32_t x, uint32_t y)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    uint32_t greatest;
    asm("max.u16x2 %0, %1, %2;" : "=r"(greatest) : "r"(x), "r"(y));
    return greatest;
#else
    return __vmaxu2(x, y);
#endif
}

// Component at of a word as f32, the first one lowest: below the upper bits of 2^23 it is what that is less 2^23, so that no conversion is
// needed; of signed kinds 128 or 32768 above it.

static __device__ __forceinline__ float imgc_float_u8(uint32_t word, int at)
{
    return __uint_as_float(__byte_perm(word, 0x4b000000u, 0x7650u + at)) - 8388608.0f;
}

static __device__ __forceinline__ float imgc_float_i8(uint32_t word, int at)
{
    return __uint_as_float(__byte_perm(word ^ 0x80808080u, 0x4b000000u, 0x7650u + at)) - 8388736.0f;
}

static __device__ __forceinline__ float imgc_float_u16(uint32_t word, int at)
{
    return __uint_as_float(__byte_perm(word, 0x4b000000u, 0x7610u + 0x22 * at)) - 8388608.0f;
}

static __device__ __forceinline__ float imgc_float_i16(uint32_t word, int at)
{
    return __uint_as_float(__byte_perm(word ^ 0x80008000u, 0x4b000000u, 0x7610u + 0x22 * at)) - 8421376.0f;
}

// What it gets, by an instruction that ptxas does not look through: of max(max(a, -b), c) versions 13.0 to 13.2 lose the sign for sm_90.
static __device__ __forceinline__ int imgc_opaque_i32(int x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm("prmt.b32 %0, %1, %1, 0x3210;" : "=r"(x) : "r"(x));
#endif
    return x;
}

// What it gets, by an instruction that ptxas does not look through: of max(max(a, -b), c) versions 13.0 to 13.2 lose the sign for sm_90.
static __device__ __forceinline__ uint32_t imgc_opaque_u32(uint32_t x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm("prmt.b32 %0, %1, %1, 0x3210;" : "=r"(x) : "r"(x));
#endif
    return x;
}

// The products of bytes, all of them unsigned.
static __device__ __forceinline__ int imgc_products4(uint32_t x, uint32_t y, int acc)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 610
    return (int)__dp4a(x, y, (uint32_t)acc);
#else
    return (int)((uint32_t)acc + (x & 0xff) * (y & 0xff) + (x >> 8 & 0xff) * (y >> 8 & 0xff) + (x >> 16 & 0xff) * (y >> 16 & 0xff) + (x >> 24) * (y >> 24));
#endif
}

// The amounts of the differences of bytes, as bytes.
static __device__ __forceinline__ uint32_t imgc_apart4(uint32_t x, uint32_t y)
{
#if defined(__CUDA_ARCH__)
    return __vabsdiffu4(x, y);
#else
    uint32_t apart = 0;
    for (int at = 0; at < 32; at += 8) {
        const uint32_t a = x >> at & 0xff, b = y >> at & 0xff;
        apart |= (a < b ? b - a : a - b) << at;
    }
    return apart;
#endif
}

// The sum of the amounts of the differences of bytes. One instruction of devices adds it to something.
static __device__ __forceinline__ int imgc_differences4(uint32_t x, uint32_t y, int acc)
{
#if defined(__CUDA_ARCH__)
    uint32_t sum;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(y), "r"((uint32_t)acc));
    return (int)sum;
#else
    for (int at = 0; at < 32; at += 8) {
        const int a = x >> at & 0xff, b = y >> at & 0xff;
        acc = (int)((uint32_t)acc + (uint32_t)(a < b ? b - a : a - b));
    }
    return acc;
#endif
}

// The squares of the differences of bytes.
static __device__ __forceinline__ int imgc_squares4(uint32_t x, uint32_t y, int acc)
{
    const uint32_t apart = imgc_apart4(x, y);
    return imgc_products4(apart, apart, acc);
}
