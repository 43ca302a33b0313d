// The kernels by which probe measures a device.
//
// BLOCKED: a work-item takes neighbouring elements, as CPUs want it. Else neighbouring work-items do, as GPUs want it.
// LANES: how many operations a work-item of a rate does side by side.

#ifdef BLOCKED
#define AT(k) ((long)get_global_id(0) * each + (k))
#else
#define AT(k) ((long)(k) * (long)get_global_size(0) + (long)get_global_id(0))
#endif

#define COPY(NAME, T)                                                                                                  \
    __kernel void NAME(__global const T *restrict from, __global T *restrict to, long each, long mask)                 \
    {                                                                                                                  \
        for (long k = 0; k < each; k++)                                                                                \
            to[AT(k)] = from[AT(k)];                                                                                   \
    }

COPY(copy_1, uchar)
COPY(copy_2, ushort)
COPY(copy_4, uint)
COPY(copy_8, uint2)
COPY(copy_16, uint4)

// What is read is needed for a condition that never holds.
__kernel void read_16(__global const uint4 *restrict from, __global uint4 *restrict to, long each, long mask)
{
    uint4 sum = (uint4)(0);
    for (long k = 0; k < each; k++)
        sum ^= from[AT(k) & mask];
    if (sum.x == 1 && sum.y == 2 && sum.z == 3 && sum.w == 4)
        to[0] = sum;
}

// Loads that wait for each other.
__kernel void chase(__global const uint *restrict next, __global uint *restrict out, int rounds)
{
    uint at = 0;
    for (int k = 0; k < rounds; k++)
        at = next[at];
    out[0] = at;
}

__kernel void nothing(__global uint *restrict out, int rounds)
{
    if (rounds < 0)
        out[0] = 0;
}

#define CAT2(A, B) A##B
#define CAT(A, B) CAT2(A, B)
#if !defined(LANES) || LANES == 1
#define WIDE(T) T
#define FROM(TO, X) ((TO)(X))
#else
#define WIDE(T) CAT(T, LANES)
#define FROM(TO, X) CAT(convert_, CAT(TO, LANES))(X)
#endif

// Eight chains of the same operation hide its latency.
#define RATE(NAME, T, OPERATION)                                                                                       \
    __kernel void NAME(__global WIDE(T) *restrict out, int rounds)                                                     \
    {                                                                                                                  \
        const WIDE(T) b = (WIDE(T))((T)(rounds | 1)), c = (WIDE(T))((T)get_global_id(0));                              \
        WIDE(T) a0 = b, a1 = c, a2 = b + c, a3 = b - c, a4 = b + b, a5 = c + c, a6 = a2 + b, a7 = a2 + c;              \
        for (int k = 0; k < rounds; k++) {                                                                             \
            a0 = OPERATION(a0); a1 = OPERATION(a1); a2 = OPERATION(a2); a3 = OPERATION(a3);                            \
            a4 = OPERATION(a4); a5 = OPERATION(a5); a6 = OPERATION(a6); a7 = OPERATION(a7);                            \
        }                                                                                                              \
        out[get_global_id(0)] = ((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7));                                     \
    }

#define MULTIPLY_ADD(a) fma(a, b, c)
#define INTEGER_MULTIPLY_ADD(a) ((a) * b + c)
#define ADD_AND_XOR(a) (((a) + b) ^ c)
#define TO_BYTE_AND_BACK(a) FROM(float, FROM(uchar, (a)))
#define ROOT(a) native_rsqrt(a)

RATE(multiply_add, float, MULTIPLY_ADD)
RATE(integer_multiply_add, uint, INTEGER_MULTIPLY_ADD)
RATE(add_and_xor, uint, ADD_AND_XOR)
RATE(to_byte_and_back, float, TO_BYTE_AND_BACK)
RATE(root, float, ROOT)
#ifdef cl_khr_fp64
RATE(double_multiply_add, double, MULTIPLY_ADD)
#endif

__kernel void local_read(__global uint4 *restrict out, int rounds, __local uint4 *restrict tile)
{
    const int i = get_local_id(0), n = get_local_size(0);
    tile[i] = (uint4)(i);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint4 sum = (uint4)(0);
    int at = i;
    for (int k = 0; k < rounds; k++) {
        sum ^= tile[at];
        at = at + 1 == n ? 0 : at + 1;
    }
    out[get_global_id(0)] = sum;
}

__kernel void local_add(__global uint *restrict out, int rounds, __local uint *restrict tile)
{
    const int i = get_local_id(0);
    tile[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < rounds; k++)
        atomic_add(&tile[i], 1u);
    out[get_global_id(0)] = tile[i];
}

__kernel void global_add(__global uint *restrict out, int rounds)
{
    for (int k = 0; k < rounds; k++)
        atomic_add(&out[(get_global_id(0) + k) & 255], 1u);
}

// Places that a generator of random numbers takes, of as many as there are work-items, or 65536.
__kernel void global_add_apart(__global uint *restrict out, int rounds)
{
    const uint n = min((uint)get_global_size(0), 65536u);
    uint at = (uint)get_global_id(0) * 2654435761u;
    for (int k = 0; k < rounds; k++) {
        at = at * 1664525u + 1013904223u;
        atomic_add(&out[mul_hi(at, n)], 1u);
    }
}
