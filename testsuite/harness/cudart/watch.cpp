// watch.cpp: looks at every access of kernels that are built with the option -fsanitize=thread of GCC, whose calls it takes instead of that
// sanitizer's library. It ends the program at an access outside of device memory but near to it, or outside of the shared memory of the
// launch; and where two threads access a byte, one of them writing, and nothing puts one before the other: no barrier of the block, none of the
// warp, not both being atomic. Two may write the same value. Shared memory that no thread of the block has written holds anything. Other
// kernels it does not see.
#include "device.h"
#include "watch.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>

#include <unistd.h>

extern "C" {
extern char __start_device_shared[] __attribute__((weak)), __stop_device_shared[] __attribute__((weak)); // the linker's: of that section
extern char __executable_start[];
}

namespace {

// Bytes before and behind each allocation of device memory, a multiple of its alignment. The address sanitizer has its own.
#ifdef __SANITIZE_ADDRESS__
enum { guard = 0 };
#else
enum { guard = 4096 };
#endif

// When and by whom a byte was accessed. Times count barriers of all blocks, which run one after the other, and those of a warp in between.
struct access {
    uint32_t time;
    uint16_t warp_time;
    uint16_t thread; // of the block; of several ones of a warp, any
    bool several;
};

// The last accesses to a byte. Of reads there are two, by threads of different warps: one of them is not of the warp that writes next.
struct cell {
    access write, atomic, read, other_read;
};

enum { warp_threads = 32, most_threads = 1024 };

bool watching; // some kernels are built for it
uint32_t now = 1, launch_begin = 1, block_begin = 1;
uint16_t warp_times[most_threads / warp_threads];
size_t launch_shared;
std::vector<cell> of_shared(sizeof device_pool), of_section;
std::map<const char *, std::vector<cell>> of_blocks; // by their first bytes

unsigned self() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

[[noreturn]] void report(const char *what, const void *at, const void *pc, const access *before) {
    std::fprintf(stderr, "%s at %p: thread %u, %u, %u of block %u, %u, %u", what, at, threadIdx.x, threadIdx.y, threadIdx.z, blockIdx.x,
                 blockIdx.y, blockIdx.z);
    if (before != nullptr && before->time >= block_begin)
        std::fprintf(stderr, "; before, thread number %u of the block", before->thread);
    else if (before != nullptr)
        std::fprintf(stderr, "; before, a thread of another block");
    std::fprintf(stderr, ", in\n");
    char command[128];
    std::snprintf(command, sizeof command, "addr2line -Cfsi -e /proc/%d/exe %#tx >&2", (int)getpid(), (char *)pc - __executable_start - 1);
    if (std::system(command) != 0)
        std::fprintf(stderr, "%p\n", pc);
    std::abort();
}

// Reports whether nothing puts an earlier access before what the running thread does now.
bool unordered(const access &a) {
    if (a.time < launch_begin || (a.time >= block_begin && a.time < now))
        return false;
    if (a.time < block_begin)
        return true; // of another block
    const unsigned me = self();
    if (a.thread == me && !a.several)
        return false;
    return a.thread / warp_threads != me / warp_threads || a.warp_time >= warp_times[me / warp_threads];
}

void note(access &a) {
    const uint16_t me = (uint16_t)self(), warp = me / warp_threads;
    const bool same = a.time == now && a.thread / warp_threads == warp && a.warp_time == warp_times[warp];
    a = {now, warp_times[warp], me, same && (a.several || a.thread != me)};
}

void expect(const access &a, const char *what, const void *at, const void *pc) {
    if (unordered(a))
        report(what, at, pc, &a);
}

// A byte that another thread has written, and that now is written once more: with the same value, as blocks that overlap do, or not.
struct rewritten {
    const char *at;
    char value;
    const void *pc;
    access before;
};
std::vector<rewritten> overlaps;

// What was being written the last time that the watcher was called is there now.
void look_at_overlaps() {
    for (const rewritten &o : overlaps)
        if (*o.at != o.value)
            report("a race of two writes", o.at, o.pc, &o.before);
    overlaps.clear();
}

enum kind { reads, writes, updates };

void look(cell &c, kind k, const void *at, const void *pc) {
    if (k == writes && unordered(c.write))
        overlaps.push_back({(const char *)at, *(const char *)at, pc, c.write});
    else
        expect(c.write, "a race with a write", at, pc);
    if (k != updates)
        expect(c.atomic, "a race with an atomic function", at, pc);
    if (k != reads) {
        expect(c.read, "a race of a write with a read", at, pc);
        expect(c.other_read, "a race of a write with a read", at, pc);
    }
    if (k == reads && c.read.time == now && c.read.thread / warp_threads != self() / warp_threads)
        c.other_read = c.read;
    note(k == reads ? c.read : k == writes ? c.write : c.atomic);
}

void look_at_shared(cell &c, kind k, const void *at, const void *pc) {
    const access *all[] = {&c.write, &c.atomic, &c.read, &c.other_read};
    if (std::all_of(all, all + 4, [](const access *a) { return a->time < block_begin; })) { // what other blocks have left is not there any more
        c = cell{};
        *(unsigned char *)at = (unsigned char)((uintptr_t)at * 167 + now * 89); // anything
    }
    look(c, k, at, pc);
}

// A region is memory with cells: shared memory, or an allocation of device memory.
struct region {
    const char *begin;
    cell *cells;
    size_t bytes;
    bool shared;
};

region last; // an allocation: most accesses are to the one of the access before

// Finds the region that an address lies in, or beside which it does; one without cells for what kernels have for themselves.
region region_of(const char *at) {
    if (at >= last.begin && at < last.begin + last.bytes)
        return last;
    if (at >= __start_device_shared && at < __stop_device_shared) {
        of_section.resize((size_t)(__stop_device_shared - __start_device_shared));
        return {__start_device_shared, of_section.data(), of_section.size(), true};
    }
    if (at >= (char *)device_pool && at < (char *)device_pool + sizeof device_pool)
        return {(char *)device_pool, of_shared.data(), launch_shared, true};
    auto next = of_blocks.upper_bound(at + guard);
    if (next == of_blocks.begin())
        return {};
    auto &found = *std::prev(next);
    if (at >= found.first + found.second.size() + guard)
        return {};
    return last = {found.first, found.second.data(), found.second.size(), false};
}

void look_at(const void *memory, size_t bytes, kind k, const void *pc) {
    look_at_overlaps();
    const char *at = (const char *)memory;
    const region r = region_of(at);
    if (r.cells == nullptr)
        return;
    if (at < r.begin || at + bytes > r.begin + r.bytes)
        report(r.shared ? "an access to shared memory that the launch does not have" : "an access beside device memory", at, pc, nullptr);
    for (size_t i = 0; i < bytes; i++)
        (r.shared ? look_at_shared : look)(r.cells[at - r.begin + (ptrdiff_t)i], k, at + i, pc);
}

} // namespace

void watch_launch(size_t shared) {
    look_at_overlaps();
    launch_shared = shared;
    launch_begin = ++now;
}

void watch_block() { block_begin = ++now; }
void watch_barrier() { now++; }
void watch_warp(unsigned warp) { warp_times[warp]++; }
void watch_everything_seen() { launch_begin = ++now; }

char *device_allocate(size_t bytes) {
    void *all;
    if (posix_memalign(&all, 256, bytes + 2 * guard) != 0)
        return nullptr;
    char *at = (char *)all + guard;
    of_blocks[at].resize(bytes);
    return at;
}

void device_release(char *at) {
    look_at_overlaps();
    of_blocks.erase(at);
    last = {};
    std::free(at - guard);
}

void watch_atomic(const void *at, size_t bytes) {
    if (watching)
        look_at(at, bytes, updates, __builtin_return_address(0));
}

// What GCC calls. Volatile accesses are those to what a lock guards.
#define ACCESS(name, bytes, what)                                                                                      \
    void name(void *at) { look_at(at, bytes, what, __builtin_return_address(0)); }
#define ACCESSES(n)                                                                                                    \
    ACCESS(__tsan_read##n, n, reads)                                                                                   \
    ACCESS(__tsan_write##n, n, writes)                                                                                 \
    ACCESS(__tsan_unaligned_read##n, n, reads)                                                                         \
    ACCESS(__tsan_unaligned_write##n, n, writes)                                                                       \
    ACCESS(__tsan_volatile_read##n, n, updates)                                                                        \
    ACCESS(__tsan_volatile_write##n, n, updates)                                                                       \
    ACCESS(__tsan_unaligned_volatile_read##n, n, updates)                                                              \
    ACCESS(__tsan_unaligned_volatile_write##n, n, updates)

extern "C" {
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
void __tsan_read_range(void *at, size_t bytes) { look_at(at, bytes, reads, __builtin_return_address(0)); }
void __tsan_write_range(void *at, size_t bytes) { look_at(at, bytes, writes, __builtin_return_address(0)); }
void __tsan_vptr_update(void **, void *) {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_init() { watching = true; }
}
