// How many blocks of so many threads a multiprocessor is asked to have room for, if as many as wanted fit: more would be ignored with a
// warning. The threads that fit are those of the CUDA C++ Programming Guide's table of technical specifications.
static constexpr __host__ __device__ int imgc_resident(int threads, int wanted)
{
#if !defined(__CUDA_ARCH__)
    return wanted;
#elif __CUDA_ARCH__ == 750
    return wanted * threads <= 1024 ? wanted : 1024 / threads;
#elif __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 880 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ == 1100 || __CUDA_ARCH__ >= 1200
    return wanted * threads <= 1536 ? wanted : 1536 / threads;
#else
    return wanted;
#endif
}
