/* ---- graphs of calls ---- */

/* The graph of a call like this one; *found is 0 where there is none, and the graph the one that was used longest ago. */
static struct graph *graph_of(struct library *self, struct graph *graphs, const void *call, size_t size, int *found) {
    struct graph *oldest = graphs;
    for (int i = 0; i < graphs_kept; i++) {
        *found = graphs[i].is_known && memcmp(graphs[i].call, call, size) == 0;
        if (graphs[i].used < oldest->used || *found)
            oldest = &graphs[i];
        if (*found)
            break;
    }
    oldest->used = ++self->graph_calls;
    return oldest;
}

/* Makes room for what a call settles, before and after, and notes the first. */
static int keep_call(struct library *self, struct graph *kept, const void *call, size_t size) {
    if (kept->call == NULL)
        kept->call = malloc(2 * size);
    if (kept->call == NULL)
        return fail(self, status_memory, "no host memory for the graph of a call");
    kept->is_known = 0;
    memcpy(kept->call, call, size);
    return status_ok;
}

/* Starts a capture on the stream of ours. */
static int begin_capture(struct library *self, struct stream *s, struct capture *g) {
    memset(g, 0, sizeof *g);
#if CUDART_VERSION < CAPTURE_VERSION
    (void)s;
    return fail(self, status_build, "calls as graphs need CUDA 11.3 or newer, and this library was built with CUDA %d.%d", CUDART_VERSION / 1000,
                CUDART_VERSION % 1000 / 10);
#else
    CUDA(cudaStreamBeginCapture(self->stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    s->stream = self->stream;
    s->capture = g;
    return status_ok;
#endif
}

/* Makes a kept graph that of another call, which differs in what its operations are given; 0 where it does not do. */
static int update_graph(struct graph *kept, cudaGraph_t graph) {
#if CUDART_VERSION >= 12000
    cudaGraphExecUpdateResultInfo result;
    const cudaError_t code = cudaGraphExecUpdate(kept->executable, graph, &result);
#else
    cudaGraphNode_t node;
    enum cudaGraphExecUpdateResult result;
    const cudaError_t code = cudaGraphExecUpdate(kept->executable, graph, &node, &result);
#endif
    if (code != cudaSuccess)
        cudaGetLastError();
    return code == cudaSuccess;
}

static cudaError_t instantiate(struct graph *kept, cudaGraph_t graph) {
    if (kept->executable != NULL && update_graph(kept, graph))
        return cudaSuccess;
    if (kept->executable != NULL)
        cudaGraphExecDestroy(kept->executable);
    kept->executable = NULL;
#if CUDART_VERSION >= 12000
    return cudaGraphInstantiate(&kept->executable, graph, 0);
#else
    return cudaGraphInstantiate(&kept->executable, graph, NULL, NULL, 0);
#endif
}

/* Ends a capture, and makes what was captured what is kept. status: whether everything was captured. */
static int end_capture(struct library *self, const struct stream *s, int status, struct graph *kept) {
    cudaGraph_t graph = NULL;
    const cudaError_t ended = cudaStreamEndCapture(s->stream, &graph);
    cudaError_t code = ended;
    free(s->capture->nodes);
    free(s->capture->edges);
    free(s->capture->uses);
    free(s->capture->handles);
    if (status == status_ok && ended == cudaSuccess)
        code = instantiate(kept, graph);
    if (graph != NULL)
        cudaGraphDestroy(graph);
    if (status != status_ok) {
        cudaGetLastError();
        return status;
    }
    CUDA(code, ended == cudaSuccess ? "cudaGraphInstantiate" : "cudaStreamEndCapture");
    kept->is_known = 1;
    return status_ok;
}
