// The $ of what all threads of the warp have, which are all here.
static __device__ __forceinline__ int imgc_joined_$_i32(int x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_$_sync(0xffffffffu, x);
#else
    for (int by = 16; by > 0; by /= 2) {
        x = $(x, __shfl_xor_sync(0xffffffffu, x, by));
    }
    return x;
#endif
}

// The $ of what all threads of the warp have, which are all here.
static __device__ __forceinline__ uint32_t imgc_joined_$_u32(uint32_t x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_$_sync(0xffffffffu, x);
#else
    for (int by = 16; by > 0; by /= 2) {
        x = $(x, __shfl_xor_sync(0xffffffffu, x, by));
    }
    return x;
#endif
}
