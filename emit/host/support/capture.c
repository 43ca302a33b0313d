/* The caller's stream, and the device that was current when the call began. */
struct stream {
    cudaStream_t stream;
    int previous;
    int ours; /* the call uses memory of ours */
    const char *workspace; /* or else of the caller's; NULL without temporary images */
    struct capture *capture; /* NULL: what is enqueued runs */
};

/* Memory of the caller's for temporary images. */
struct workspace {
    char *memory;
};

static int cuda_failed(struct library *self, cudaError_t code, const char *call) {
    cudaGetLastError(); /* is ours, not the caller's */
    return fail(self, code == cudaErrorMemoryAllocation ? status_device_memory : status_cuda, "%s failed: %s", call,
                cudaGetErrorString(code));
}

#define CUDA(call, name)                                                                                               \
    do {                                                                                                               \
        cudaError_t cuda_code = (call);                                                                                \
        if (cuda_code != cudaSuccess)                                                                                  \
            return cuda_failed(self, cuda_code, name);                                                                 \
    } while (0)

/* ---- what a graph of a call is made of ---- */

/* Toolkits before CUDA 11.3 do not let a capture say what operations wait for. */
#define CAPTURE_VERSION 11030

enum { most_nodes = 1 << 14 }; /* of a graph */

/* An operation of a capture. It waits for those whose numbers lie in edges from first on. */
struct node {
    cudaGraphNode_t handle;
    int first, count;
    int is_kernel;
};

/* Who has read or written memory in a capture, since it was last written. */
struct use {
    const char *memory;
    int node, writes;
};

/* A capture in progress. The stream knows one order of its operations; which of them have to wait for each other follows from
   the memory that they use. */
struct capture {
    struct node *nodes;
    int *edges;
    struct use *uses;
    cudaGraphNode_t *handles; /* of one operation's edges */
    int node_count, edge_count, use_count;
    int node_room, edge_room, use_room, handle_room;
};

/* Makes room for one more in a list. */
static int grow(struct library *self, void *list, int *room, int count, size_t size) {
    const int wanted = *room == 0 ? 64 : 2 * *room;
    void *larger;
    if (count < *room)
        return status_ok;
    memcpy(&larger, list, sizeof larger); /* list points to a pointer, to whatever */
    larger = realloc(larger, (size_t)wanted * size);
    if (larger == NULL)
        return fail(self, status_memory, "no host memory for the graph of a call");
    memcpy(list, &larger, sizeof larger);
    *room = wanted;
    return status_ok;
}

/* Adds a node to those that the operation in the making waits for. */
static int wait_for(struct library *self, struct capture *g, int first, int node) {
    for (int i = first; i < g->edge_count; i++)
        if (g->edges[i] == node)
            return status_ok;
    TRY(grow(self, &g->edges, &g->edge_room, g->edge_count, sizeof *g->edges));
    g->edges[g->edge_count++] = node;
    return status_ok;
}

/* Whether a node waits for another one, which is then done when it is. */
static int waits_for(const struct capture *g, int node, int other) {
    for (int i = 0; i < g->nodes[node].count; i++)
        if (g->edges[g->nodes[node].first + i] == other)
            return 1;
    return 0;
}

/* Drops the edges that others make superfluous. */
static void thin_out(struct capture *g, int first) {
    int kept = first;
    for (int i = first; i < g->edge_count; i++)
        for (int k = first; k < g->edge_count; k++)
            if (g->edges[i] >= 0 && g->edges[k] >= 0 && waits_for(g, g->edges[k], g->edges[i]))
                g->edges[i] = -1;
    for (int i = first; i < g->edge_count; i++)
        if (g->edges[i] >= 0)
            g->edges[kept++] = g->edges[i];
    g->edge_count = kept;
}

/* Lets the next operation of a captured stream wait for those whose memory it uses, and for no others. *follows becomes whether
   that is one kernel. */
static int order(struct library *self, const struct stream *s, const struct use *uses, int count, int *follows) {
    struct capture *const g = s->capture;
    int first;
    cudaError_t code;
    *follows = g == NULL;
    if (g == NULL)
        return status_ok;
    if (g->node_count == most_nodes)
        return fail(self, status_size, "the call takes more than %d operations, too many for a graph", (int)most_nodes);
    TRY(grow(self, &g->nodes, &g->node_room, g->node_count, sizeof *g->nodes));
    first = g->edge_count;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < g->use_count; k++)
            if (g->uses[k].memory == uses[i].memory && (g->uses[k].writes || uses[i].writes))
                TRY(wait_for(self, g, first, g->uses[k].node));
    thin_out(g, first);
    while (g->handle_room < g->edge_count - first)
        TRY(grow(self, &g->handles, &g->handle_room, g->handle_room, sizeof *g->handles));
    for (int i = first; i < g->edge_count; i++)
        g->handles[i - first] = g->nodes[g->edges[i]].handle;
    g->nodes[g->node_count].first = first;
    g->nodes[g->node_count].count = g->edge_count - first;
    *follows = g->edge_count - first == 1 && g->nodes[g->edges[first]].is_kernel;
#if CUDART_VERSION >= 13000
    code = cudaStreamUpdateCaptureDependencies(s->stream, g->handles, NULL, (size_t)(g->edge_count - first), cudaStreamSetCaptureDependencies);
#elif CUDART_VERSION >= CAPTURE_VERSION
    code = cudaStreamUpdateCaptureDependencies(s->stream, g->handles, (size_t)(g->edge_count - first), cudaStreamSetCaptureDependencies);
#else
    code = cudaErrorNotSupported; /* no capture begins */
#endif
    CUDA(code, "cudaStreamUpdateCaptureDependencies");
    return status_ok;
}

/* Takes down what the operation that has just been enqueued uses. */
static int record(struct library *self, const struct stream *s, const struct use *uses, int count, int is_kernel) {
    struct capture *const g = s->capture;
    enum cudaStreamCaptureStatus status;
    const cudaGraphNode_t *last = NULL;
    size_t lasts = 0;
    cudaError_t code;
    if (g == NULL)
        return status_ok;
#if CUDART_VERSION >= 13000
    code = cudaStreamGetCaptureInfo(s->stream, &status, NULL, NULL, &last, NULL, &lasts);
#elif CUDART_VERSION >= CAPTURE_VERSION
    code = cudaStreamGetCaptureInfo_v2(s->stream, &status, NULL, NULL, &last, &lasts);
#else
    code = cudaErrorNotSupported;
    status = cudaStreamCaptureStatusNone;
#endif
    CUDA(code, "cudaStreamGetCaptureInfo");
    if (status != cudaStreamCaptureStatusActive || lasts != 1)
        return fail(self, status_cuda, "the capture of a call has ended early");
    g->nodes[g->node_count].handle = last[0];
    g->nodes[g->node_count].is_kernel = is_kernel;
    for (int i = 0; i < count; i++) {
        int kept = 0;
        for (int k = 0; k < g->use_count; k++)
            if (!uses[i].writes || g->uses[k].memory != uses[i].memory)
                g->uses[kept++] = g->uses[k];
        g->use_count = kept;
        TRY(grow(self, &g->uses, &g->use_room, g->use_count, sizeof *g->uses));
        g->uses[g->use_count] = uses[i];
        g->uses[g->use_count++].node = g->node_count;
    }
    g->node_count++;
    return status_ok;
}
