// What a thread so many places further on in the warp has; all threads of the warp are here. Kinds under 32 bits go as an int.
template <typename T>
static __device__ __forceinline__ T imgc_shuffle(T x, int by)
{
    return (T)__shfl_down_sync(0xffffffffu, x, by);
}
