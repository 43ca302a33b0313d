// Bytes in words, the first one lowest.

uint imgc_four_bytes(const uint *words, int at)
{
    const int shift = 8 * (at % 4);
    return shift == 0 ? words[at / 4] : words[at / 4] >> shift | words[at / 4 + 1] << (32 - shift);
}

// The four bytes that begin skip bytes behind the lowest of two words, at most 3.
uint imgc_realign(uint low, uint high, int skip)
{
#if IMGC_COMPUTE_CAPABILITY >= 32
    uint bytes;
    asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(low), "r"(high), "r"(8 * skip));
    return bytes;
#else
    return (uint)(((ulong)high << 32 | low) >> 8 * skip);
#endif
}

// The products of bytes, those of the weights signed.
int imgc_dot4(uint bytes, uint weights, int acc)
{
#if IMGC_COMPUTE_CAPABILITY >= 61
    int sum;
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(bytes), "r"(weights), "r"(acc));
    return sum;
#else
    return (int)((uint)acc + (uint)((int)(bytes & 0xff) * (char)weights + (int)(bytes >> 8 & 0xff) * (char)(weights >> 8)
        + (int)(bytes >> 16 & 0xff) * (char)(weights >> 16) + (int)(bytes >> 24) * (char)(weights >> 24)));
#endif
}

// The products of halves with the two lower bytes of the weights, which are signed.
int imgc_dot2(uint halves, uint weights, int acc)
{
#if IMGC_COMPUTE_CAPABILITY >= 61
    int sum;
    asm("dp2a.lo.u32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(halves), "r"(weights), "r"(acc));
    return sum;
#else
    return (int)((uint)acc + (uint)((int)(halves & 0xffff) * (char)weights + (int)(halves >> 16) * (char)(weights >> 8)));
#endif
}

// The bytes of two words that the hexadecimal digits of take name, the lowest last: 0 to 3 are those of low, 4 to 7 those of high.
uint imgc_permute(uint low, uint high, uint take)
{
#if IMGC_COMPUTE_CAPABILITY >= 20
    uint bytes;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(low), "r"(high), "r"(take));
    return bytes;
#else
    uint bytes = 0;
    for (int i = 0; i < 4; ++i) {
        const uint n = take >> 4 * i & 7;
        bytes |= ((n < 4 ? low : high) >> 8 * (n & 3) & 0xff) << 8 * i;
    }
    return bytes;
#endif
}

// The same bytes, each of them ones where its highest bit is set, else zeros.
uint imgc_signs(uint low, uint high, uint take)
{
#if IMGC_COMPUTE_CAPABILITY >= 20
    return imgc_permute(low, high, take | 0x8888u);
#else
    return (imgc_permute(low, high, take) >> 7 & 0x1010101u) * 255u;
#endif
}

// The lesser of each two halves.
uint imgc_min_u16x2(uint x, uint y)
{
#if IMGC_COMPUTE_CAPABILITY >= 90
    uint least;
    asm("min.u16x2 %0, %1, %2;" : "=r"(least) : "r"(x), "r"(y));
    return least;
#else
    return as_uint(min(as_ushort2(x), as_ushort2(y)));
#endif
}

// The greater of each two halves.
uint imgc_max_u16x2(uint x, uint y)
{
#if IMGC_COMPUTE_CAPABILITY >= 90
    uint greatest;
    asm("max.u16x2 %0, %1, %2;" : "=r"(greatest) : "r"(x), "r"(y));
    return greatest;
#else
    return as_uint(max(as_ushort2(x), as_ushort2(y)));
#endif
}

// The end of a function that makes an f32 of a component of a word. Below the upper bits of 2^23 it is what that is less 2^23, which takes NVIDIA's
// devices less than a conversion; take names its bytes, and of signed kinds it is half their range above flip. The difference is out of sight of
// compilers that may add in another order.
#if IMGC_COMPUTE_CAPABILITY >= 20
#define imgc_float(word, flip, take, above, expression) \
    uint bits; \
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bits) : "r"((word) ^ (flip)), "r"(0x4b000000), "r"(take)); \
    float value; \
    asm("sub.rn.f32 %0, %1, %2;" : "=f"(value) : "f"(as_float(bits)), "f"(above)); \
    return value
#else
#define imgc_float(word, flip, take, above, expression) return (float)(expression)
#endif

float imgc_float_u8(uint word, int at)
{
    imgc_float(word, 0u, 0x7650 + at, 8388608.0f, (uchar)(word >> 8 * at));
}

float imgc_float_i8(uint word, int at)
{
    imgc_float(word, 0x80808080u, 0x7650 + at, 8388736.0f, (char)(word >> 8 * at));
}

float imgc_float_u16(uint word, int at)
{
    imgc_float(word, 0u, 0x7610 + 0x22 * at, 8388608.0f, (ushort)(word >> 16 * at));
}

float imgc_float_i16(uint word, int at)
{
    imgc_float(word, 0x80008000u, 0x7610 + 0x22 * at, 8421376.0f, (short)(word >> 16 * at));
}

// Stores of a row that takes several follow each other on NVIDIA's devices, none of them before all of it is computed: no store is moved past the point where a subgroup
// meets.
void imgc_together(void)
{
#if IMGC_COMPUTE_CAPABILITY >= 70
    uint active;
    asm volatile("activemask.b32 %0;" : "=r"(active));
    asm volatile("bar.warp.sync %0;" :: "r"(active) : "memory");
#endif
}

// What it gets, by an instruction that NVIDIA's compiler does not look through: of max(max(a, -b), c) it loses the sign on some devices.
int imgc_opaque_i32(int x)
{
#if IMGC_COMPUTE_CAPABILITY >= 90
    int same;
    asm("prmt.b32 %0, %1, %1, 0x3210;" : "=r"(same) : "r"(x));
    return same;
#else
    return x;
#endif
}

// What it gets, by an instruction that NVIDIA's compiler does not look through: of max(max(a, -b), c) it loses the sign on some devices.
uint imgc_opaque_u32(uint x)
{
#if IMGC_COMPUTE_CAPABILITY >= 90
    uint same;
    asm("prmt.b32 %0, %1, %1, 0x3210;" : "=r"(same) : "r"(x));
    return same;
#else
    return x;
#endif
}

// The products of bytes, all of them unsigned.
int imgc_products4(uint x, uint y, int acc)
{
#if IMGC_COMPUTE_CAPABILITY >= 61
    int sum;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(y), "r"(acc));
    return sum;
#else
    return (int)((uint)acc + (x & 0xff) * (y & 0xff) + (x >> 8 & 0xff) * (y >> 8 & 0xff) + (x >> 16 & 0xff) * (y >> 16 & 0xff) + (x >> 24) * (y >> 24));
#endif
}

// The sum of the amounts of the differences of bytes. One instruction of devices adds it to something.
int imgc_differences4(uint x, uint y, int acc)
{
#if IMGC_COMPUTE_CAPABILITY >= 61
    int sum;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(y), "r"(acc));
    return sum;
#else
    const uint4 apart = convert_uint4(abs_diff(as_uchar4(x), as_uchar4(y)));
    return (int)((uint)acc + apart.x + apart.y + apart.z + apart.w);
#endif
}

// The squares of the differences of bytes.
int imgc_squares4(uint x, uint y, int acc)
{
#if IMGC_COMPUTE_CAPABILITY >= 61
    uint apart;
    asm("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(apart) : "r"(x), "r"(y), "r"(0u));
#else
    const uint apart = as_uint(abs_diff(as_uchar4(x), as_uchar4(y)));
#endif
    return imgc_products4(apart, apart, acc);
}
