// Whether the block is the last of its launch to come here; it sees then what the others have written before. The counter is 0 when
// the first one comes, and again when the last one has.
static __device__ __forceinline__ bool imgc_last_block(unsigned int *counter)
{
    const bool first = threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0;
    bool last = false;
    __syncthreads();
    if (first) {
        const unsigned int others = gridDim.x * gridDim.y * gridDim.z - 1;
        __threadfence();
        last = atomicInc(counter, others) == others;
        __threadfence();
    }
    return __syncthreads_or(last);
}
