// Under programmatic dependent launch a kernel starts while those before it in its stream still run. It waits for what they write,
// and lets the next one start.
static __device__ __forceinline__ void imgc_start()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
