// blocks.cpp: runs the blocks of kernels. A thread is a coroutine that gives way at barriers, and at shuffles to its warp.
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
unsigned char device_pool[227 << 10];

namespace {

struct kernel {
    const void *code;
    std::vector<size_t> sizes;
    void (*call)(const void *code, void **args);
};

std::map<const void *, kernel> kernels;

enum { stack_bytes = 1 << 16 };

enum { warp_threads = 32 };

enum waiting { nothing, for_block, for_warp }; // nothing: the thread has ended

// Where code goes on that has given way. To change there with swapcontext takes a system call, and has the address sanitizer forget what
// it knows of a stack.
struct place {
    void *at[5];
};

struct thread {
    place goes_on;
    std::vector<char> stack; // empty until the first block that has the thread
    uint3 index;
    waiting waits;
    int shuffles;                // how many it has begun
    int votes, vote[2];          // the same of __syncthreads_or
    unsigned long long given[2]; // at the last of them, and at the one before, which others may not have taken yet
    int products;                // the same of device_mma
    unsigned operands[2][6];
    void *shadow;                // the address sanitizer's
};

place scheduler;
void *scheduler_shadow;
const void *scheduler_bottom;
size_t scheduler_size;
std::vector<thread> threads;
thread *running;
const kernel *in;
void **arguments;

[[noreturn]] __attribute__((noipa, no_sanitize("address"))) void go(place &to) { __builtin_longjmp(to.at, 1); }

// Goes to a place and comes back where something goes to from.
__attribute__((noipa, no_sanitize("address"))) void change(place &from, place &to) {
    if (__builtin_setjmp(from.at) == 0)
        go(to);
}

// Changes to a function on a stack of its own.
__attribute__((noipa, no_sanitize("address"))) void begin(place &from, std::vector<char> &stack, void (*function)()) {
    if (__builtin_setjmp(from.at) == 0) {
        ucontext_t context;
        getcontext(&context);
        context.uc_stack.ss_sp = stack.data();
        context.uc_stack.ss_size = stack.size();
        context.uc_link = nullptr;
        makecontext(&context, function, 0);
        setcontext(&context);
    }
}

void give_way() {
    __sanitizer_start_switch_fiber(&running->shadow, scheduler_bottom, scheduler_size);
    change(running->goes_on, scheduler);
    __sanitizer_finish_switch_fiber(running->shadow, nullptr, nullptr);
}

// A thread of one block after the other.
void body() {
    __sanitizer_finish_switch_fiber(nullptr, &scheduler_bottom, &scheduler_size);
    for (;;) {
        in->call(in->code, arguments);
        running->waits = nothing;
        give_way();
    }
}

void resume(thread &t) {
    const bool first = t.stack.empty();
    if (first)
        t.stack.resize(stack_bytes);
    running = &t;
    threadIdx = t.index;
    __sanitizer_start_switch_fiber(&scheduler_shadow, t.stack.data(), t.stack.size());
    if (first)
        begin(scheduler, t.stack, body);
    else
        change(scheduler, t.goes_on);
    __sanitizer_finish_switch_fiber(scheduler_shadow, nullptr, nullptr);
}

void start(thread &t, uint3 index) {
    t.index = index;
    t.shuffles = t.votes = t.products = 0;
    resume(t);
}

size_t count(waiting what, size_t from, size_t end) {
    size_t n = 0;
    for (size_t i = from; i < end; i++)
        n += threads[i].waits == what;
    return n;
}

void resume_all(waiting what, size_t from, size_t end) {
    const size_t n = count(what, from, end);
    if (n == 0)
        return;
    if (n != end - from) {
        std::fprintf(stderr, "%zu of %zu threads of a %s wait for each other\n", n, end - from, what == for_warp ? "warp" : "block");
        std::abort();
    }
    if (what == for_warp)
        watch_warp((unsigned)(from / warp_threads));
    else
        watch_barrier();
    for (size_t i = from; i < end; i++)
        resume(threads[i]);
}

// The threads that wait are the first ones; one that has ended makes room for the next. Where some wait, none has ended.
void run_block(const dim3 &size) {
    size_t waiting = 0;
    watch_block();
    const size_t all = (size_t)size.x * size.y * size.z;
    if (threads.size() < all)
        threads.resize(all);
    for (uint3 i = {0, 0, 0}; i.z < size.z; i.z++)
        for (i.y = 0; i.y < size.y; i.y++)
            for (i.x = 0; i.x < size.x; i.x++) {
                start(threads[waiting], i);
                waiting += threads[waiting].waits != nothing;
            }
    for (size_t i = waiting; i < all; i++)
        threads[i].waits = nothing;
    while (count(nothing, 0, all) != all) {
        while (count(for_warp, 0, all) > 0)
            for (size_t i = 0; i < all; i += warp_threads)
                resume_all(for_warp, i, i + warp_threads < all ? i + warp_threads : all);
        resume_all(for_block, 0, all);
    }
}

void wait(waiting what) {
    running->waits = what;
    give_way();
}

} // namespace

void __syncthreads() { wait(for_block); }
void __syncwarp() { wait(for_warp); }

int __syncthreads_or(int x) {
    thread *self = running;
    const int turn = self->votes++ % 2;
    self->vote[turn] = x != 0;
    wait(for_block);
    int any = 0;
    for (size_t i = 0; i < (size_t)blockDim.x * blockDim.y * blockDim.z; i++)
        any |= threads[i].vote[turn];
    return any;
}

unsigned long long device_shuffle(unsigned long long bits, int by) {
    thread *self = running;
    const int turn = self->shuffles++ % 2;
    self->given[turn] = bits;
    wait(for_warp);
    const int lane = (int)(self - threads.data()) % warp_threads;
    return self[(lane ^ by) - lane].given[turn];
}

void device_mma(int c[4], const unsigned a[4], unsigned b0, unsigned b1, bool is_signed) {
    thread *self = running;
    const int turn = self->products++ % 2, lane = (int)(self - threads.data()) % warp_threads;
    unsigned *given = self->operands[turn];
    std::memcpy(given, a, 4 * sizeof *a);
    given[4] = b0;
    given[5] = b1;
    wait(for_warp);
    const thread *warp = self - lane;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 32; k++) {
            const unsigned row = warp[lane / 4 * 4 + k % 16 / 4].operands[turn][k / 16 * 2 + i / 2] >> 8 * (k % 4) & 0xff;
            const unsigned column = warp[(lane % 4 * 2 + i % 2) * 4 + k % 16 / 4].operands[turn][4 + k / 16] >> 8 * (k % 4) & 0xff;
            c[i] += (int)row * (is_signed ? (int)(signed char)column : (int)column);
        }
}

const void *runtime_kernel(const void *code, std::vector<size_t> sizes, void (*call)(const void *code, void **args)) {
    kernels[code] = kernel{code, std::move(sizes), call};
    return code;
}

const std::vector<size_t> *argument_sizes(const void *code) {
    const auto found = kernels.find(code);
    return found == kernels.end() ? nullptr : &found->second.sizes;
}

void run_blocks(const void *code, dim3 grid, dim3 block, size_t shared, void **args) {
    watch_launch(shared);
    in = &kernels.at(code);
    arguments = args;
    blockDim = block;
    gridDim = grid;
    for (blockIdx.z = 0; blockIdx.z < grid.z; blockIdx.z++)
        for (blockIdx.y = 0; blockIdx.y < grid.y; blockIdx.y++)
            for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++)
                run_block(block);
}
