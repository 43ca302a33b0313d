// Under programmatic dependent launch a kernel starts while the blocks of the one before it in its stream end, and waits here for what they
// write: before it touches memory, but behind what it computes of its place alone, which is done by then. No kernel asks for the next one earlier than that: the instruction for it took copies of images a fifth more time on an H200.
static __device__ __forceinline__ void imgc_start()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
