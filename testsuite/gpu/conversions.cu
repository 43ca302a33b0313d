/* How many conversions of each kind a multiprocessor does in a clock: eight chains of each in registers, of 2048 threads.
 *
 *     nvcc -arch=sm_90 -O3 testsuite/gpu/conversions.cu -o conversions && ./conversions
 *
 * convert and convert_word of archmodels/families/nvidia-cc-9.0.yaml are of it; prmt and multiply_add are there to compare with. The clock is the highest that
 * the device has, so that numbers are a little low where it runs at less. */
#include <cstdio>
#include <cuda_runtime.h>

/* from and to are what the registers of the operand in and of the result out hold, as constraints of asm have it. */
#define CONVERSION(name, text, to, out, from, in) \
    struct name { \
        static const char *title() { return #name; } \
        __device__ static unsigned step(unsigned v) \
        { \
            const float f = __uint_as_float(v); \
            float g = 0.0f; \
            unsigned r = 0; \
            asm volatile(text : to(out) : from(in)); \
            return r | __float_as_uint(g); \
        } \
    };

CONVERSION(multiply_add, "fma.rn.f32 %0, %1, %1, %1;", "=f", g, "f", f)
CONVERSION(prmt, "prmt.b32 %0, %1, %1, 0x3210;", "=r", r, "r", v)
CONVERSION(f32_of_u32, "cvt.rn.f32.u32 %0, %1;", "=f", g, "r", v)
CONVERSION(f32_of_s32, "cvt.rn.f32.s32 %0, %1;", "=f", g, "r", v)
CONVERSION(f32_of_u16, "{.reg .u16 h; cvt.u16.u32 h, %1; cvt.rn.f32.u16 %0, h;}", "=f", g, "r", v)
CONVERSION(f32_of_u8, "cvt.rn.f32.u8 %0, %1;", "=f", g, "r", v)
CONVERSION(f32_of_f16, "{.reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l;}", "=f", g, "r", v)
CONVERSION(sat_u8_of_f32, "cvt.rni.sat.u8.f32 %0, %1;", "=r", r, "f", f)
CONVERSION(sat_s8_of_f32, "cvt.rni.sat.s8.f32 %0, %1;", "=r", r, "f", f)
CONVERSION(s32_of_f32, "cvt.rzi.s32.f32 %0, %1;", "=r", r, "f", f)
CONVERSION(u32_of_f32, "cvt.rni.u32.f32 %0, %1;", "=r", r, "f", f)
CONVERSION(f16_of_f32, "{.reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.u32.u16 %0, h;}", "=r", r, "f", f)
CONVERSION(rounded_f32, "cvt.rni.f32.f32 %0, %1;", "=f", g, "f", f)

static const int chains = 8, unrolled = 8, rounds = 256, threads = 1024, blocks = 2;

template <typename C> __global__ void run(unsigned *out, int n, unsigned seed)
{
    unsigned v[chains], all = 0;
    for (int i = 0; i < chains; i++)
        v[i] = seed + threadIdx.x * chains + i;
    for (int j = 0; j < n; j++) {
#pragma unroll
        for (int k = 0; k < unrolled * chains; k++)
            v[k % chains] = C::step(v[k % chains]);
    }
    for (int i = 0; i < chains; i++)
        all ^= v[i];
    if (all == 0x12345) /* so that nothing of it is left out */
        *out = all;
}

static int units, clock_khz;

template <typename C> void measure()
{
    unsigned *out;
    cudaEvent_t from, to;
    float best = 1e9f;
    cudaMalloc(&out, sizeof *out);
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    for (int i = 0; i < 5; i++) {
        float ms;
        cudaEventRecord(from);
        run<C><<<units * blocks, threads>>>(out, rounds, 1);
        cudaEventRecord(to);
        cudaEventSynchronize(to);
        cudaEventElapsedTime(&ms, from, to);
        best = ms < best ? ms : best;
    }
    cudaFree(out);
    printf("%-14s %6.1f\n", C::title(), (double)chains * unrolled * rounds * threads * blocks / ((double)best * clock_khz));
}

int main()
{
    cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, 0);
    cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0);
    printf("for a clock and multiprocessor, at %d MHz\n", clock_khz / 1000);
    measure<multiply_add>();
    measure<prmt>();
    measure<f32_of_u32>();
    measure<f32_of_s32>();
    measure<f32_of_u16>();
    measure<f32_of_u8>();
    measure<f32_of_f16>();
    measure<sat_u8_of_f32>();
    measure<sat_s8_of_f32>();
    measure<s32_of_f32>();
    measure<u32_of_f32>();
    measure<f16_of_f32>();
    measure<rounded_f32>();
    return cudaGetLastError() != cudaSuccess;
}
