// blocks.cpp: runs the blocks of kernels. A thread is a coroutine that gives way at barriers.
#include "device.h"

#include <cstdio>
#include <cstdlib>
#include <map>

#include <ucontext.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#else
#define __sanitizer_start_switch_fiber(save, bottom, size) ((void)0)
#define __sanitizer_finish_switch_fiber(save, bottom, size) ((void)0)
#endif

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace {

struct kernel {
    const void *code;
    std::vector<size_t> sizes;
    void (*call)(const void *code, void **args);
};

std::map<const void *, kernel> kernels;

enum { stack_bytes = 1 << 16 }; // the address sanitizer looks at all of it whenever threads change

struct thread {
    ucontext_t context;
    std::vector<char> stack;
    uint3 index;
    bool waits;          // at a barrier; else it has ended
    void *shadow;        // the address sanitizer's
};

ucontext_t scheduler;
void *scheduler_shadow;
const void *scheduler_bottom;
size_t scheduler_size;
std::vector<thread> threads;
thread *running;
const kernel *in;
void **arguments;

void body() {
    __sanitizer_finish_switch_fiber(nullptr, &scheduler_bottom, &scheduler_size);
    in->call(in->code, arguments);
    running->waits = false;
    __sanitizer_start_switch_fiber(nullptr, scheduler_bottom, scheduler_size);
    swapcontext(&running->context, &scheduler);
}

void resume(thread &t) {
    running = &t;
    threadIdx = t.index;
    __sanitizer_start_switch_fiber(&scheduler_shadow, t.stack.data(), t.stack.size());
    swapcontext(&scheduler, &t.context);
    __sanitizer_finish_switch_fiber(scheduler_shadow, nullptr, nullptr);
}

void start(thread &t, uint3 index) {
    t.stack.resize(stack_bytes);
    t.index = index;
    getcontext(&t.context);
    t.context.uc_stack.ss_sp = t.stack.data();
    t.context.uc_stack.ss_size = t.stack.size();
    t.context.uc_link = nullptr;
    makecontext(&t.context, body, 0);
    resume(t);
}

// The threads that wait at a barrier are the first ones; one that has ended makes room for the next.
void run_block(const dim3 &size) {
    size_t waiting = 0;
    const size_t count = (size_t)size.x * size.y * size.z;
    if (threads.size() < count)
        threads.resize(count);
    for (uint3 i = {0, 0, 0}; i.z < size.z; i.z++)
        for (i.y = 0; i.y < size.y; i.y++)
            for (i.x = 0; i.x < size.x; i.x++) {
                start(threads[waiting], i);
                waiting += threads[waiting].waits;
            }
    while (waiting > 0) {
        size_t left = 0;
        if (waiting != count) {
            std::fprintf(stderr, "%zu of %zu threads of a block wait at a barrier\n", waiting, count);
            std::abort();
        }
        for (size_t i = 0; i < count; i++) {
            resume(threads[i]);
            left += threads[i].waits;
        }
        waiting = left;
    }
}

} // namespace

void __syncthreads() {
    thread *self = running;
    self->waits = true;
    __sanitizer_start_switch_fiber(&self->shadow, scheduler_bottom, scheduler_size);
    swapcontext(&self->context, &scheduler);
    __sanitizer_finish_switch_fiber(self->shadow, nullptr, nullptr);
}

const void *runtime_kernel(const void *code, std::vector<size_t> sizes, void (*call)(const void *code, void **args)) {
    kernels[code] = kernel{code, std::move(sizes), call};
    return code;
}

const std::vector<size_t> *argument_sizes(const void *code) {
    const auto found = kernels.find(code);
    return found == kernels.end() ? nullptr : &found->second.sizes;
}

void run_blocks(const void *code, dim3 grid, dim3 block, void **args) {
    in = &kernels.at(code);
    arguments = args;
    blockDim = block;
    gridDim = grid;
    for (blockIdx.z = 0; blockIdx.z < grid.z; blockIdx.z++)
        for (blockIdx.y = 0; blockIdx.y < grid.y; blockIdx.y++)
            for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++)
                run_block(block);
}
