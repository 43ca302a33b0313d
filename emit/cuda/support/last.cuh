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

// Adds a part to the sum in the bits of a tally below shift, and one to the number in the others. Whether all blocks have, with what the sum is then, which is
// less than half of what has room there. The tally is 0 when the first one comes, and again when the last one has.
static __device__ __forceinline__ bool imgc_last_sum(unsigned long long *tally, long long part, unsigned int shift, long long *sum)
{
    const unsigned long long added = (1ull << shift) + (unsigned long long)part;
    const unsigned long long now = atomicAdd(tally, added) + added;
    const unsigned long long blocks = (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    if ((now + (1ull << (shift - 1))) >> shift != blocks) {
        return false;
    }
    *tally = 0;
    *sum = (long long)(now << (64 - shift)) >> (64 - shift);
    return true;
}
