// device.h: what CUDA C++ has beyond C++, for generated kernels that a host's compiler builds. runtime.cpp runs them: one block after
// the other, the threads of a block in turns from barrier to barrier.
#ifndef CUDART_DEVICE_H
#define CUDART_DEVICE_H

#include <cuda_runtime_api.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "watch.h"

using std::isinf;
using std::isnan;

#undef __launch_bounds__
#define __launch_bounds__(...)
#define __noinline__ __attribute__((noinline))
#undef __shared__
#define __shared__ static __attribute__((section("device_shared"))) /* one block runs at a time */

// The shared memory whose size comes with a launch, at most so much. It has not the name of the section, which assemblers would take it for.
alignas(16) extern unsigned char device_pool[227 << 10];

extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;

void __syncthreads();
void __syncwarp();
int __syncthreads_or(int x); // not 0 for all threads of the block where it is for one
inline void __threadfence() {}

// The bits that a thread so many places further on in the warp has.
unsigned long long device_shuffle(unsigned long long bits, int by);

// mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 of PTX, or .u8.s8.
void device_mma(int c[4], const unsigned a[4], unsigned b0, unsigned b1, bool is_signed);

// ---- kernels ----

// Makes a kernel known to the runtime, which copies arguments of these sizes and calls it with pointers to the copies.
const void *runtime_kernel(const void *code, std::vector<size_t> sizes, void (*call)(const void *code, void **args));

template <class... P> struct caller {
    template <size_t... I> __attribute__((no_sanitize("thread"))) static void apply(const void *code, void **args, std::index_sequence<I...>) {
        ((void (*)(P...))code)(*(P *)args[I]...);
    }
    static void call(const void *code, void **args) { apply(code, args, std::make_index_sequence<sizeof...(P)>()); }
};

template <class... P> const void *device_kernel(void (*kernel)(P...)) {
    return runtime_kernel((const void *)kernel, {sizeof(P)...}, caller<P...>::call);
}

// ---- functions ----

inline int min(int a, int b) { return b < a ? b : a; }
inline int max(int a, int b) { return a < b ? b : a; }
inline unsigned min(unsigned a, unsigned b) { return b < a ? b : a; }
inline unsigned max(unsigned a, unsigned b) { return a < b ? b : a; }
inline long long min(long long a, long long b) { return b < a ? b : a; }
inline long long max(long long a, long long b) { return a < b ? b : a; }
inline unsigned long long min(unsigned long long a, unsigned long long b) { return b < a ? b : a; }
inline unsigned long long max(unsigned long long a, unsigned long long b) { return a < b ? b : a; }

inline float rsqrtf(float x) { return (float)(1 / std::sqrt((double)x)); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }

inline float __fmul_rn(float x, float y) { return x * y; }
inline float __fdiv_rn(float x, float y) { return x / y; }
inline float __fsqrt_rn(float x) { return std::sqrt(x); }
inline double __dmul_rn(double x, double y) { return x * y; }
inline double __ddiv_rn(double x, double y) { return x / y; }
inline double __dsqrt_rn(double x) { return std::sqrt(x); }

template <class To, class From> To device_bits(From x) {
    static_assert(sizeof(To) == sizeof(From), "bits of another size");
    To y;
    std::memcpy(&y, &x, sizeof y);
    return y;
}

inline int __float_as_int(float x) { return device_bits<int>(x); }
inline unsigned __float_as_uint(float x) { return device_bits<unsigned>(x); }
inline float __int_as_float(int x) { return device_bits<float>(x); }
inline float __uint_as_float(unsigned x) { return device_bits<float>(x); }
inline long long __double_as_longlong(double x) { return device_bits<long long>(x); }
inline double __longlong_as_double(long long x) { return device_bits<double>(x); }

// a*b + c as the one of the two floats next to it whose last bit is 1, where it is none itself: rounded to f16 it is what the exact sum would be.
inline float device_fused(float a, float b, float c) {
    double p = (double)a * b, s = p + c, d = s - p, lost = (p - (s - d)) + (c - d);
    float f = (float)s;
    bool exact = f == s && lost == 0;
    if (exact || !std::isfinite(f) || (device_bits<unsigned>(f) & 1) != 0)
        return f;
    return std::nextafter(f, (f == s ? lost > 0 : s > f) ? INFINITY : -INFINITY);
}

inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
    float2 x = __half22float2(a), y = __half22float2(b), z = __half22float2(c);
    return __floats2half2_rn(device_fused(x.x, y.x, z.x), device_fused(x.y, y.y, z.y));
}

// Conversions to integers of at least 32 bits give the nearest value that the type has, and 0 or the least value for NaN.
template <class To> To device_saturate(double rounded, To of_nan) {
    if (rounded != rounded)
        return of_nan;
    if (rounded <= (double)std::numeric_limits<To>::min())
        return std::numeric_limits<To>::min();
    return rounded >= (double)std::numeric_limits<To>::max() ? std::numeric_limits<To>::max() : (To)rounded;
}

inline int __float2int_rz(float x) { return device_saturate<int>(std::trunc(x), 0); }
inline int __float2int_rn(float x) { return device_saturate<int>(std::nearbyint(x), 0); }
inline unsigned __float2uint_rz(float x) { return device_saturate<unsigned>(std::trunc(x), 0); }
inline unsigned __float2uint_rn(float x) { return device_saturate<unsigned>(std::nearbyint(x), 0); }
inline int __double2int_rz(double x) { return device_saturate<int>(std::trunc(x), INT_MIN); }
inline int __double2int_rn(double x) { return device_saturate<int>(std::nearbyint(x), INT_MIN); }
inline unsigned __double2uint_rz(double x) { return device_saturate<unsigned>(std::trunc(x), 0x80000000u); }
inline unsigned __double2uint_rn(double x) { return device_saturate<unsigned>(std::nearbyint(x), 0x80000000u); }
inline long long __float2ll_rz(float x) { return device_saturate<long long>(std::trunc(x), LLONG_MIN); }
inline long long __float2ll_rn(float x) { return device_saturate<long long>(std::nearbyint(x), LLONG_MIN); }
inline long long __double2ll_rz(double x) { return device_saturate<long long>(std::trunc(x), LLONG_MIN); }
inline long long __double2ll_rn(double x) { return device_saturate<long long>(std::nearbyint(x), LLONG_MIN); }
inline unsigned long long __float2ull_rz(float x) { return device_saturate<unsigned long long>(std::trunc(x), 1ull << 63); }
inline unsigned long long __float2ull_rn(float x) { return device_saturate<unsigned long long>(std::nearbyint(x), 1ull << 63); }
inline unsigned long long __double2ull_rz(double x) { return device_saturate<unsigned long long>(std::trunc(x), 1ull << 63); }
inline unsigned long long __double2ull_rn(double x) { return device_saturate<unsigned long long>(std::nearbyint(x), 1ull << 63); }

// cvt.r?i.sat.TO.f32 of PTX: of narrow integers, where NaN gives 0.
#define DEVICE_CVT(name, type)                                                                                         \
    inline int device_cvt_z_##name(float x) { return device_saturate<type>(std::trunc(x), 0); }                        \
    inline int device_cvt_n_##name(float x) { return device_saturate<type>(std::nearbyint(x), 0); }
DEVICE_CVT(s8, signed char)
DEVICE_CVT(u8, unsigned char)
DEVICE_CVT(s16, short)
DEVICE_CVT(u16, unsigned short)

template <class T> T device_shuffled(T x, int by) {
    unsigned long long bits = 0;
    std::memcpy(&bits, &x, sizeof x);
    bits = device_shuffle(bits, by);
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

inline int __shfl_xor_sync(unsigned, int x, int by) { return device_shuffled(x, by); }
inline unsigned __shfl_xor_sync(unsigned, unsigned x, int by) { return device_shuffled(x, by); }
inline long long __shfl_xor_sync(unsigned, long long x, int by) { return device_shuffled(x, by); }
inline unsigned long long __shfl_xor_sync(unsigned, unsigned long long x, int by) { return device_shuffled(x, by); }
inline float __shfl_xor_sync(unsigned, float x, int by) { return device_shuffled(x, by); }
inline double __shfl_xor_sync(unsigned, double x, int by) { return device_shuffled(x, by); }

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }

inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (by & 31));
}

inline unsigned __byte_perm(unsigned low, unsigned high, unsigned take) {
    const unsigned long long both = (unsigned long long)high << 32 | low;
    unsigned out = 0;
    for (int i = 0; i < 4; i++)
        out |= (unsigned)(both >> 8 * (take >> 4 * i & 7) & 0xff) << 8 * i;
    return out;
}

inline unsigned __vminu2(unsigned x, unsigned y) { return min(x >> 16, y >> 16) << 16 | min(x & 0xffff, y & 0xffff); }
inline unsigned __vmaxu2(unsigned x, unsigned y) { return max(x >> 16, y >> 16) << 16 | max(x & 0xffff, y & 0xffff); }

// ---- atomic functions: threads change places at barriers only ----

template <class T, class F> __attribute__((no_sanitize("thread"))) T device_update(T *p, F next) {
    watch_atomic(p, sizeof *p);
    const T old = *p;
    *p = next(old);
    return old;
}

#define DEVICE_ATOMIC(name, type, value)                                                                               \
    inline type name(type *p, type x) {                                                                                \
        return device_update(p, [x](type v) { return (void)v, (type)(value); });                                              \
    }
#define DEVICE_ATOMICS(type)                                                                                           \
    DEVICE_ATOMIC(atomicMin, type, min(v, x))                                                                          \
    DEVICE_ATOMIC(atomicMax, type, max(v, x))                                                                          \
    DEVICE_ATOMIC(atomicAnd, type, v &x)                                                                               \
    DEVICE_ATOMIC(atomicOr, type, v | x)                                                                               \
    DEVICE_ATOMIC(atomicXor, type, v ^ x)                                                                              \
    DEVICE_ATOMIC(atomicExch, type, x)
DEVICE_ATOMICS(int)
DEVICE_ATOMICS(unsigned)
DEVICE_ATOMICS(long long)
DEVICE_ATOMICS(unsigned long long)
DEVICE_ATOMIC(atomicAdd, int, (unsigned)v + (unsigned)x)
DEVICE_ATOMIC(atomicSub, int, (unsigned)v - (unsigned)x)
DEVICE_ATOMIC(atomicAdd, unsigned, v + x)
DEVICE_ATOMIC(atomicSub, unsigned, v - x)
DEVICE_ATOMIC(atomicAdd, unsigned long long, v + x)
DEVICE_ATOMIC(atomicAdd, float, v + x)
DEVICE_ATOMIC(atomicAdd, double, v + x)

// With which blocks count: the last one to come has the count begin again.
inline unsigned atomicInc(unsigned *p, unsigned most) {
    const unsigned old = device_update(p, [most](unsigned v) { return v >= most ? 0 : v + 1; });
    if (old >= most)
        watch_everything_seen();
    return old;
}

template <class T> T atomicCAS(T *p, T wanted, T x) {
    return device_update(p, [wanted, x](T v) { return v == wanted ? x : v; });
}

#endif
