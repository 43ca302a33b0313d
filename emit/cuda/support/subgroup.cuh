// What the thread has whose number in the warp differs by one bit; all threads of the warp are here. Kinds under 32 bits go as an int.
template <typename T>
static __device__ __forceinline__ T imgc_shuffle(T x, int by)
{
    return (T)__shfl_xor_sync(0xffffffffu, x, by);
}

// The sum of what all threads of the warp have, which are all here. One instruction adds 32 bits on devices of compute capability 8.0 and up: values of 64 bits are three parts of 27, whose sums
// fit into 32 and come together modulo 2^64, or one where no thread has more.
static __device__ __forceinline__ uint32_t imgc_joined_sum_u32(uint32_t x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_add_sync(0xffffffffu, x);
#else
    for (int by = 16; by > 0; by /= 2) {
        x += __shfl_xor_sync(0xffffffffu, x, by);
    }
    return x;
#endif
}

static __device__ __forceinline__ int imgc_joined_sum_i32(int x)
{
    return (int)imgc_joined_sum_u32((uint32_t)x);
}

static __device__ __forceinline__ unsigned long long imgc_joined_sum_u64(unsigned long long x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const uint32_t part = (1u << 27) - 1;
    if (__all_sync(0xffffffffu, x <= part)) {
        return __reduce_add_sync(0xffffffffu, (uint32_t)x);
    }
    const unsigned long long low = __reduce_add_sync(0xffffffffu, (uint32_t)x & part);
    const unsigned long long middle = __reduce_add_sync(0xffffffffu, (uint32_t)(x >> 27) & part);
    const unsigned long long high = __reduce_add_sync(0xffffffffu, (uint32_t)(x >> 54));
    return low + (middle << 27) + (high << 54);
#else
    for (int by = 16; by > 0; by /= 2) {
        x += __shfl_xor_sync(0xffffffffu, x, by);
    }
    return x;
#endif
}

static __device__ __forceinline__ long long imgc_joined_sum_i64(long long x)
{
    return (long long)imgc_joined_sum_u64((unsigned long long)x);
}
