// Shared memory of the size that the host gives with the launch, which may be more than a kernel may declare.
static __device__ __forceinline__ uint8_t *imgc_shared_memory()
{
    extern __shared__ __align__(16) uint8_t memory[];
    return memory;
}
