// Stores of a row that takes several follow each other, none of them before all of it is computed: each fills a part of the sectors that a warp writes, and what comes
// late is written by itself. Left alone, ptxas stores the first of three words of pixels of three bytes some 15 instructions before the others, as it has one register
// less to keep then. It moves no store past the point where a warp meets: two conversions of colours took 107.5 and 136 us on an H200 without it, and 101 and 126.5 with it.
static __device__ __forceinline__ void imgc_together()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    __syncwarp(__activemask());
#endif
}
