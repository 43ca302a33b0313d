// What the thread has whose number in the warp differs by one bit; all threads of the warp are here. Kinds under 32 bits go as an int.
template <typename T>
static __device__ __forceinline__ T imgc_shuffle(T x, int by)
{
    return (T)__shfl_xor_sync(0xffffffffu, x, by);
}
