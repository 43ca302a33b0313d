/* cuda_runtime_api.h: the installed toolkit's, as one of the version TOOLKIT, which is older, has it: what came later is not there, and what has
 * changed is as it was. */
#include_next <cuda_runtime_api.h>

#undef CUDART_VERSION
#define CUDART_VERSION TOOLKIT

#if CUDART_VERSION < 12000
static inline cudaError_t old_graph_update(cudaGraphExec_t a, cudaGraph_t b, cudaGraphNode_t *c, enum cudaGraphExecUpdateResult *d) {
    return (void)a, (void)b, (void)c, (void)d, cudaErrorNotSupported;
}
static inline cudaError_t old_graph_instantiate(cudaGraphExec_t *a, cudaGraph_t b, cudaGraphNode_t *c, char *d, size_t e) {
    return (void)a, (void)b, (void)c, (void)d, (void)e, cudaErrorNotSupported;
}
#undef cudaGraphExecUpdate
#undef cudaGraphInstantiate
#define cudaGraphExecUpdate old_graph_update
#define cudaGraphInstantiate old_graph_instantiate
#endif

#if CUDART_VERSION < 13000
static inline cudaError_t old_dependencies(cudaStream_t a, cudaGraphNode_t *b, size_t c, unsigned d) {
    return (void)a, (void)b, (void)c, (void)d, cudaErrorNotSupported;
}
static inline cudaError_t old_capture_info(cudaStream_t a, enum cudaStreamCaptureStatus *b, unsigned long long *c, cudaGraph_t *d, const cudaGraphNode_t **e, size_t *f) {
    return (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, cudaErrorNotSupported;
}
#undef cudaStreamUpdateCaptureDependencies
#undef cudaStreamGetCaptureInfo_v2
#define cudaStreamUpdateCaptureDependencies old_dependencies
#define cudaStreamGetCaptureInfo_v2 old_capture_info
#endif

#if CUDART_VERSION < 11040
#pragma GCC poison cudaGraphInstantiateWithFlags
#endif
#if CUDART_VERSION < 11080
#pragma GCC poison cudaLaunchKernelExC cudaLaunchConfig_t cudaLaunchAttribute
#endif
#if CUDART_VERSION < 11030
#pragma GCC poison old_dependencies old_capture_info
#endif
