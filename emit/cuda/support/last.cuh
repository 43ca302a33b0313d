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

// Leaves a value for the block that waits for all: each 32 bits of it with the number of the launch in one word, which is seen as a whole.
template <typename T>
static __device__ __forceinline__ void imgc_leave(unsigned long long *places, long long at, unsigned int round, T x)
{
    const int words = sizeof(T) / sizeof(unsigned int);
    static_assert(sizeof(T) % sizeof(unsigned int) == 0, "a value of words of 32 bits");
#pragma unroll
    for (int k = 0; k < words; ++k) {
        ((volatile unsigned long long *)places)[words * at + k] = (unsigned long long)(round + 1) << 32 | ((const unsigned int *)&x)[k];
    }
}

// Whether the block is the one with the highest number, which waits here until all others have left their values, stores these, and counts the launch.
// Blocks start in the order of their numbers or beside each other, so that the others are not kept from running by one that waits.
template <typename T>
static __device__ __forceinline__ bool imgc_last_waits(unsigned long long *places, unsigned int round, T *parts, int count)
{
    if (blockIdx.x + 1 != gridDim.x || blockIdx.y + 1 != gridDim.y || blockIdx.z + 1 != gridDim.z) {
        return false;
    }
    const int threads = (int)(blockDim.x * blockDim.y * blockDim.z);
    const int first = (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
    unsigned int *const words = (unsigned int *)parts;
    count *= (int)(sizeof(T) / sizeof(unsigned int));
    // Several are asked for at once, as each answer takes as long as all of them.
    const unsigned long long there = (unsigned long long)(round + 1) << 32;
    for (int i = first; i < count; i += 4 * threads) {
        unsigned long long left[4];
        bool all;
        do {
            all = true;
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                left[k] = i + k * threads < count ? ((volatile unsigned long long *)places)[i + k * threads] : there;
            }
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                all = all && left[k] >> 32 == there >> 32;
            }
        } while (!all);
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if (i + k * threads < count) {
                words[i + k * threads] = (unsigned int)left[k];
            }
        }
    }
    __syncthreads();
    if (first == 0) {
        places[count] = round + 1;
    }
    return true;
}
