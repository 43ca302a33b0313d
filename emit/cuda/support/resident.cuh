// How many blocks of so many threads a multiprocessor is asked to have room for: as many as wanted or as fit, since more would be ignored with a
// warning. The threads that fit are those of the CUDA C++ Programming Guide's table of technical specifications.
static constexpr __host__ __device__ int imgc_resident(int threads, int wanted)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
    return wanted < 1024 / threads ? wanted : 1024 / threads;
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 880 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ == 1100 || __CUDA_ARCH__ >= 1200)
    return wanted < 1536 / threads ? wanted : 1536 / threads;
#else
    return wanted < 2048 / threads ? wanted : 2048 / threads;
#endif
}
