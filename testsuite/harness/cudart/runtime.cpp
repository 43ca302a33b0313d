// runtime.cpp: see runtime.h.
#include "runtime.h"

#include "watch.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <vector>

enum { shared_bytes = 48 << 10, device_shared_bytes = 227 << 10 }; // that a kernel gets unasked, and if it asks

struct runtime runtime = {{}, 0, 9, 0, 0, cudaSuccess, 0, 0, nullptr, 0, 0, 0, 0, 0, 0, 0, 0};

void run_blocks(const void *kernel, dim3 grid, dim3 block, size_t shared, void **args);
const std::vector<size_t> *argument_sizes(const void *kernel);

namespace {

struct operation {
    std::function<void()> work;
    std::vector<std::shared_ptr<operation>> after;
    bool done;
};
using operations = std::vector<std::shared_ptr<operation>>;

operations pending;
int current;
std::map<const char *, std::pair<size_t, int>> blocks; // of device memory: bytes, device
std::map<const void *, int> may_share; // bytes of shared memory that kernels get, where that is more than all do

} // namespace

struct CUgraphNode_st {
    std::function<void()> work;
    std::vector<size_t> after; // indices
    bool is_kernel;
    size_t index;
};

struct CUgraph_st {
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};

struct CUgraphExec_st {
    std::vector<CUgraphNode_st> nodes;
    int device;
};

struct CUstream_st {
    int device;
    operations last;
    CUgraph_st *capture;
    std::vector<cudaGraphNode_t> frontier;
};

struct CUevent_st {
    int device;
    operations at;
};

namespace {

CUstream_st default_stream[runtime_devices];

int fails(const char *name, bool noticed) {
    if (runtime.until == 0)
        return 0;
    if (runtime.until > 1) {
        runtime.until--;
        return 0;
    }
    if (!runtime.for_good)
        runtime.until = 0;
    if (runtime.last == nullptr)
        runtime.last = name;
    (noticed ? runtime.failed : runtime.overlooked)++;
    return 1;
}

// A call that does its work or fails, and one whose failure need not be noticed, which does it all the same.
#define CALL                                                                                                           \
    if (fails(__func__, true))                                                                                         \
    return runtime.code
#define HINT const cudaError_t result = fails(__func__, false) ? runtime.code : cudaSuccess

cudaError_t wrong(const char *call, const char *what) {
    runtime.wrong++;
    std::fprintf(stderr, "%s: %s\n", call, what);
    return cudaErrorInvalidValue;
}

bool is_done(const std::shared_ptr<operation> &o) { return o->done; }

bool all_done(const operations &list) { return std::all_of(list.begin(), list.end(), is_done); }

// Runs what is pending until the wanted operations are done.
void drain(const operations &wanted) {
    while (!all_done(wanted)) {
        size_t i = pending.size();
        while (i > 0 && !all_done(pending[i - 1]->after))
            i--;
        if (i == 0)
            std::abort(); // operations cannot wait for later ones
        const std::shared_ptr<operation> o = pending[i - 1];
        pending.erase(pending.begin() + (long)i - 1);
        o->work();
        o->work = nullptr;
        o->after.clear();
        o->done = true;
    }
}

CUstream_st *stream_of(cudaStream_t s) {
    if (s != nullptr)
        return s;
    default_stream[current].device = current;
    return &default_stream[current];
}

// Enqueues work, or makes a node of it where the stream captures.
cudaError_t enqueue(const char *call, cudaStream_t stream, bool is_kernel, std::function<void()> work) {
    CUstream_st *s = stream_of(stream);
    if (s->device != current)
        return wrong(call, "the stream is not one of the current device");
    if (s->capture == nullptr) {
        auto o = std::make_shared<operation>(operation{std::move(work), s->last, false});
        s->last = {o};
        pending.push_back(o);
        return cudaSuccess;
    }
    auto node = std::make_unique<CUgraphNode_st>();
    node->work = std::move(work);
    node->is_kernel = is_kernel;
    node->index = s->capture->nodes.size();
    for (cudaGraphNode_t n : s->frontier)
        node->after.push_back(n->index);
    runtime.captured++;
    runtime.edges += (int)node->after.size();
    s->frontier = {node.get()};
    s->capture->nodes.push_back(std::move(node));
    return cudaSuccess;
}

cudaError_t launch(const char *call, const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream) {
    const std::vector<size_t> *sizes = argument_sizes(kernel);
    if (sizes == nullptr)
        return wrong(call, "this is no kernel");
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535)
        return wrong(call, "the grid has no legal size");
    if (block.x * block.y * block.z == 0 || block.x * block.y * block.z > 1024 || block.z > 64)
        return wrong(call, "the blocks have no legal size");
    auto copies = std::make_shared<std::vector<std::vector<max_align_t>>>();
    for (size_t i = 0; i < sizes->size(); i++) {
        copies->emplace_back((*sizes)[i] / sizeof(max_align_t) + 1);
        std::memcpy(copies->back().data(), args[i], (*sizes)[i]);
    }
    return enqueue(call, stream, true, [=] {
        std::vector<void *> at;
        for (auto &c : *copies)
            at.push_back(c.data());
        run_blocks(kernel, grid, block, shared, at.data());
    });
}

void copy_lines(char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width, size_t height) {
    for (size_t i = 0; i < height; i++)
        std::memcpy(to + i * to_pitch, from + i * from_pitch, width);
}

} // namespace

void runtime_fail(int n, int for_good, cudaError_t code) {
    runtime.until = n;
    runtime.for_good = for_good;
    runtime.code = code;
    runtime.failed = runtime.overlooked = 0;
    runtime.last = nullptr;
}

static void *got(void *block) {
    runtime.objects.allocations += block != nullptr;
    return block;
}

void *runtime_malloc(size_t size) { return fails(__func__, true) ? nullptr : got(std::malloc(size)); }

void *runtime_calloc(size_t number, size_t size) { return fails(__func__, true) ? nullptr : got(std::calloc(number, size)); }

void *runtime_realloc(void *block, size_t size) {
    if (fails(__func__, true))
        return nullptr;
    return block == nullptr ? got(std::malloc(size)) : std::realloc(block, size);
}

void runtime_free(void *block) {
    runtime.objects.allocations -= block != nullptr;
    std::free(block);
}

extern "C" {

// ---- devices and errors ----

cudaError_t cudaGetLastError() { return cudaSuccess; }

const char *cudaGetErrorString(cudaError_t) { return "an error of the runtime"; }

cudaError_t cudaGetDevice(int *device) {
    CALL;
    *device = current;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
    if (device < 0 || device >= runtime_devices)
        return cudaErrorInvalidDevice;
    if (device == runtime.home) { // which a library that fails has nobody to tell of
        current = device;
        HINT;
        return result;
    }
    CALL;
    current = device;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr what, int) {
    CALL;
    if (what != cudaDevAttrComputeCapabilityMajor)
        return wrong(__func__, "what is this attribute?");
    *value = runtime.capability;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *out, int) {
    CALL;
    std::memset(out, 0, sizeof *out);
    std::strcpy(out->name, "none");
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *out, const void *kernel) {
    CALL;
    if (runtime.without_code)
        return cudaErrorNoKernelImageForDevice;
    std::memset(out, 0, sizeof *out);
    return argument_sizes(kernel) == nullptr ? wrong(__func__, "this is no kernel") : cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute what, int value) {
    CALL;
    if (argument_sizes(kernel) == nullptr || what != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return wrong(__func__, "this is no kernel, or no attribute that libraries set");
    if (value > device_shared_bytes)
        return cudaErrorInvalidValue;
    may_share[kernel] = value;
    return cudaSuccess;
}

// ---- memory ----

cudaError_t cudaMalloc(void **out, size_t bytes) {
    CALL;
    char *at = device_allocate(bytes);
    if (at == nullptr)
        return cudaErrorMemoryAllocation;
    std::memset(at, 0xA5, bytes);
    blocks[at] = {bytes, current};
    runtime.objects.blocks++;
    *out = at;
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory) {
    HINT;
    if (memory == nullptr)
        return result;
    if (blocks.count((char *)memory) == 0)
        return wrong(__func__, "this is no device memory");
    drain(operations(pending));
    blocks.erase((char *)memory);
    device_release((char *)memory);
    runtime.objects.blocks--;
    return result;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *out, const void *at) {
    CALL;
    std::memset(out, 0, sizeof *out);
    out->type = cudaMemoryTypeUnregistered;
    auto next = blocks.upper_bound((const char *)at);
    if (next == blocks.begin())
        return cudaSuccess;
    const auto &found = *std::prev(next);
    if ((const char *)at < found.first + found.second.first) {
        out->type = cudaMemoryTypeDevice;
        out->device = found.second.second;
        out->devicePointer = (void *)at;
    }
    return cudaSuccess;
}

cudaError_t cudaMemset2DAsync(void *at, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
    CALL;
    return enqueue(__func__, stream, false, [=] {
        for (size_t i = 0; i < height; i++)
            std::memset((char *)at + i * pitch, value, width);
    });
}

cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream) {
    CALL;
    return enqueue(__func__, stream, false, [=] { std::memset(at, value, bytes); });
}

// As on the default stream, for which all streams that block wait.
cudaError_t cudaMemset(void *at, int value, size_t bytes) {
    CALL;
    drain(operations(pending));
    std::memset(at, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                              cudaMemcpyKind, cudaStream_t stream) {
    CALL;
    if (width > to_pitch || width > from_pitch)
        return wrong(__func__, "lines overlap");
    return enqueue(__func__, stream, false,
                   [=] { copy_lines((char *)to, to_pitch, (const char *)from, from_pitch, width, height); });
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
    CALL;
    return enqueue(__func__, stream, false, [=] { std::memcpy(to, from, bytes); });
}

// ---- streams and events ----

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned) {
    CALL;
    *out = new CUstream_st{current, {}, nullptr, {}};
    runtime.objects.streams++;
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *out) { return cudaStreamCreateWithFlags(out, 0); }

cudaError_t cudaStreamDestroy(cudaStream_t s) {
    HINT;
    if (s->capture != nullptr)
        wrong(__func__, "the stream captures");
    drain(s->last);
    delete s;
    runtime.objects.streams--;
    return result;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    CUstream_st *s = stream_of(stream);
    if (s->capture != nullptr)
        return wrong(__func__, "the stream captures");
    drain(s->last);
    CALL;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
    drain(operations(pending));
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    CALL;
    CUstream_st *s = stream_of(stream);
    if (s->capture != nullptr)
        return wrong(__func__, "the event is none of the capture");
    s->last.insert(s->last.end(), event->at.begin(), event->at.end());
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned) {
    CALL;
    *out = new CUevent_st{current, {}};
    runtime.objects.events++;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    HINT;
    delete event;
    runtime.objects.events--;
    return result;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    CALL;
    if (event->device != stream_of(stream)->device)
        return wrong(__func__, "event and stream are of different devices");
    event->at = stream_of(stream)->last;
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    HINT;
    drain(event->at);
    return result;
}

// ---- kernels ----

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream) {
    CALL;
    if (shared > shared_bytes && (may_share.count(kernel) == 0 || shared > (size_t)may_share[kernel]))
        return wrong(__func__, "the kernel may not have so much shared memory");
    return launch(__func__, kernel, grid, block, args, shared, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **args) {
    CALL;
    const CUstream_st *s = stream_of(config->stream);
    if (config->dynamicSmemBytes > shared_bytes && (may_share.count(kernel) == 0 || config->dynamicSmemBytes > (size_t)may_share[kernel]))
        return wrong(__func__, "the kernel may not have so much shared memory");
    for (unsigned i = 0; i < config->numAttrs; i++) {
        if (config->attrs[i].id != cudaLaunchAttributeProgrammaticStreamSerialization || runtime.capability < 9)
            return wrong(__func__, "the device does not know this attribute");
        if (s->capture != nullptr) {
            if (s->frontier.size() > 1)
                return wrong(__func__, "this node does not follow one node");
            if (s->frontier.size() == 1 && s->frontier[0]->is_kernel) // else the kernel waits as without the attribute
                runtime.programmatic++;
        }
    }
    return launch(__func__, kernel, config->gridDim, config->blockDim, args, config->dynamicSmemBytes, config->stream);
}

// ---- graphs ----

cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode) {
    CALL;
    if (s == nullptr || s->capture != nullptr)
        return wrong(__func__, "the stream cannot capture");
    s->capture = new CUgraph_st;
    runtime.objects.graphs++;
    s->frontier.clear();
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *out) {
    if (s->capture == nullptr)
        return wrong(__func__, "the stream does not capture");
    *out = s->capture;
    s->capture = nullptr;
    if (fails(__func__, true)) {
        delete *out;
        *out = nullptr;
        runtime.objects.graphs--;
        return runtime.code;
    }
    return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, cudaStreamCaptureStatus *status, unsigned long long *, cudaGraph_t *,
                                     const cudaGraphNode_t **nodes, const cudaGraphEdgeData **, size_t *count) {
    CALL;
    *status = s->capture == nullptr ? cudaStreamCaptureStatusNone : cudaStreamCaptureStatusActive;
    *nodes = s->frontier.data();
    *count = s->frontier.size();
    return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t *nodes, const cudaGraphEdgeData *, size_t count,
                                                unsigned flags) {
    CALL;
    if (s->capture == nullptr || flags != cudaStreamSetCaptureDependencies)
        return wrong(__func__, "the stream does not capture");
    s->frontier.assign(nodes, nodes + count);
    std::sort(s->frontier.begin(), s->frontier.end());
    if (std::adjacent_find(s->frontier.begin(), s->frontier.end()) != s->frontier.end())
        return wrong(__func__, "a node is there twice");
    return cudaSuccess;
}

static std::vector<CUgraphNode_st> copy_of(cudaGraph_t graph) {
    std::vector<CUgraphNode_st> nodes;
    for (const auto &n : graph->nodes)
        nodes.push_back(*n);
    return nodes;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long) {
    CALL;
    *out = new CUgraphExec_st{copy_of(graph), current};
    runtime.objects.executables++;
    runtime.instantiated++;
    return cudaSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info) {
    if (fails(__func__, false))
        return runtime.code;
    std::memset(info, 0, sizeof *info);
    bool same = exec->nodes.size() == graph->nodes.size();
    for (size_t i = 0; same && i < exec->nodes.size(); i++)
        same = exec->nodes[i].after == graph->nodes[i]->after && exec->nodes[i].is_kernel == graph->nodes[i]->is_kernel;
    if (!same)
        return cudaErrorGraphExecUpdateFailure;
    exec->nodes = copy_of(graph);
    runtime.updated++;
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    CALL;
    CUstream_st *s = stream_of(stream);
    if (s->device != exec->device)
        return wrong(__func__, "the stream is one of another device");
    operations all, ends;
    for (const CUgraphNode_st &n : exec->nodes) {
        auto o = std::make_shared<operation>(operation{n.work, s->last, false});
        for (size_t i : n.after)
            o->after.push_back(all[i]);
        all.push_back(o);
        pending.push_back(o);
    }
    if (!all.empty())
        s->last = all;
    runtime.launched++;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    HINT;
    delete graph;
    runtime.objects.graphs--;
    return result;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    HINT;
    delete exec;
    runtime.objects.executables--;
    return result;
}

} // extern "C"
