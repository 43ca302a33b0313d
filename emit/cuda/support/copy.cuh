// Copies four, eight or sixteen bytes to shared memory without waiting for them, and without a register for them on their way. Threads have them behind imgc_copied and
// __syncthreads.
template <typename T>
static __device__ __forceinline__ void imgc_copy(T *to, const T *from)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16, "what one instruction copies");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const unsigned int there = (unsigned int)__cvta_generic_to_shared(to);
    if (sizeof(T) == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(there), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(there), "l"(from), "n"(sizeof(T) == 16 ? 4 : sizeof(T)) : "memory");
#else
    *to = *from;
#endif
}

// Waits for what the thread has copied.
static __device__ __forceinline__ void imgc_copied()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
