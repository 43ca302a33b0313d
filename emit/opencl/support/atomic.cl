// Updates of one component that OpenCL 1.2 has no function for: the new value is stored where the old one is still there, else
// computed again from the one that has taken its place. The first guess is 0; a wrong one fetches the value.

void imgc_atomic_mul_i32(volatile __global int *p, int x)
{
    volatile __global uint *word = (volatile __global uint *)p;
    uint old = 0u, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(word, seen, old * (uint)x);
    } while (old != seen);
}

void imgc_atomic_mul_u32(volatile __global uint *p, uint x)
{
    volatile __global uint *word = (volatile __global uint *)p;
    uint old = 0u, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(word, seen, old * x);
    } while (old != seen);
}

void imgc_atomic_add_f32(volatile __global float *p, float x)
{
    volatile __global uint *word = (volatile __global uint *)p;
    uint old = 0u, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(word, seen, as_uint(as_float(old) + x));
    } while (old != seen);
}

// The same where subnormal numbers may be zeros: NVIDIA's devices have it in one instruction then. With many work-groups that add to a few pixels loops wait for each other.
void imgc_quick_add_f32(volatile __global float *p, float x)
{
#if IMGC_COMPUTE_CAPABILITY >= 20
    asm volatile("red.global.add.f32 [%0], %1;" :: "l"(p), "f"(x) : "memory");
#else
    imgc_atomic_add_f32(p, x);
#endif
}

void imgc_atomic_sub_f32(volatile __global float *p, float x)
{
    volatile __global uint *word = (volatile __global uint *)p;
    uint old = 0u, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(word, seen, as_uint(as_float(old) - x));
    } while (old != seen);
}

void imgc_atomic_mul_f32(volatile __global float *p, float x)
{
    volatile __global uint *word = (volatile __global uint *)p;
    uint old = 0u, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(word, seen, as_uint(as_float(old) * x));
    } while (old != seen);
}

void imgc_atomic_min_f32(volatile __global float *p, float x)
{
    volatile __global uint *word = (volatile __global uint *)p;
    uint old = 0u, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(word, seen, as_uint(fmin(as_float(old), x)));
    } while (old != seen);
}

void imgc_atomic_max_f32(volatile __global float *p, float x)
{
    volatile __global uint *word = (volatile __global uint *)p;
    uint old = 0u, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(word, seen, as_uint(fmax(as_float(old), x)));
    } while (old != seen);
}

void imgc_atomic_mul_i64(volatile __global long *p, long x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old * (ulong)x);
    } while (old != seen);
}

void imgc_atomic_min_i64(volatile __global long *p, long x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, (ulong)min((long)old, x));
    } while (old != seen);
}

void imgc_atomic_max_i64(volatile __global long *p, long x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, (ulong)max((long)old, x));
    } while (old != seen);
}

void imgc_atomic_and_i64(volatile __global long *p, long x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old & (ulong)x);
    } while (old != seen);
}

void imgc_atomic_or_i64(volatile __global long *p, long x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old | (ulong)x);
    } while (old != seen);
}

void imgc_atomic_xor_i64(volatile __global long *p, long x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old ^ (ulong)x);
    } while (old != seen);
}

void imgc_atomic_mul_u64(volatile __global ulong *p, ulong x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old * x);
    } while (old != seen);
}

void imgc_atomic_min_u64(volatile __global ulong *p, ulong x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, min(old, x));
    } while (old != seen);
}

void imgc_atomic_max_u64(volatile __global ulong *p, ulong x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, max(old, x));
    } while (old != seen);
}

void imgc_atomic_and_u64(volatile __global ulong *p, ulong x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old & x);
    } while (old != seen);
}

void imgc_atomic_or_u64(volatile __global ulong *p, ulong x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old | x);
    } while (old != seen);
}

void imgc_atomic_xor_u64(volatile __global ulong *p, ulong x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old ^ x);
    } while (old != seen);
}

void imgc_atomic_add_f64(volatile __global double *p, double x)
{
#if IMGC_COMPUTE_CAPABILITY >= 60
    asm volatile("red.global.add.f64 [%0], %1;" :: "l"(p), "d"(x) : "memory");
#else
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, as_ulong(as_double(old) + x));
    } while (old != seen);
#endif
}

void imgc_atomic_sub_f64(volatile __global double *p, double x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, as_ulong(as_double(old) - x));
    } while (old != seen);
}

void imgc_atomic_mul_f64(volatile __global double *p, double x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, as_ulong(as_double(old) * x));
    } while (old != seen);
}

void imgc_atomic_min_f64(volatile __global double *p, double x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, as_ulong(fmin(as_double(old), x)));
    } while (old != seen);
}

void imgc_atomic_max_f64(volatile __global double *p, double x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = 0uL, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, as_ulong(fmax(as_double(old), x)));
    } while (old != seen);
}

// A fence that orders what a work-item accesses before and behind it for all groups: on NVIDIA's devices from compute capability 7.0 on, and on processors,
// whose compilers have the fences of C11. Accesses of memory beside it may be plain there; elsewhere what other groups are to see is accessed by atomic functions.
#if IMGC_COMPUTE_CAPABILITY >= 70
#define imgc_ordered() asm volatile("fence.acq_rel.gpu;" ::: "memory")
#elif (defined(__x86_64__) || defined(__aarch64__)) && defined(__ATOMIC_ACQ_REL)
#define imgc_ordered() __atomic_thread_fence(__ATOMIC_ACQ_REL)
#endif

// Orders what a work-item accesses before and behind it: for all groups where a fence does that, elsewhere for its own.
void imgc_device_fence(void)
{
#ifdef imgc_ordered
    imgc_ordered();
#else
    mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
}

// A lock is 0 while it is free. The fences keep what it guards between taking and releasing it.

bool imgc_try_lock(volatile __global uint *lock)
{
    const bool mine = atomic_cmpxchg(lock, 0u, 1u) == 0u;
    imgc_device_fence();
    return mine;
}

void imgc_unlock(volatile __global uint *lock)
{
    imgc_device_fence();
    atomic_xchg(lock, 0u);
}

// Whether the group is the last of its launch to come here, which flag tells its items; it sees then what the others have stored and updated by
// imgc_shared_ functions before. The counter is 0 when the first one comes, and again when the last one has.
bool imgc_last_group(volatile __global uint *counter, volatile __local uint *flag)
{
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0 && get_local_id(1) == 0 && get_local_id(2) == 0) {
        const uint others = (uint)(get_num_groups(0) * get_num_groups(1) * get_num_groups(2)) - 1;
        imgc_device_fence();
        const bool last = atomic_inc(counter) == others;
        if (last) {
            atomic_xchg(counter, 0u);
        }
        imgc_device_fence();
        *flag = last;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return *flag != 0;
}

// Adds a part to the sum in the bits of a tally below shift, and one to the number in the others. Whether all groups have, with what the sum is then, which is
// less than half of what has room there. The tally is 0 when the first one comes, and again when the last one has.
bool imgc_last_sum(volatile __global ulong *tally, long part, uint shift, long *sum)
{
    const ulong added = (1uL << shift) + (ulong)part;
    const ulong now = atom_add(tally, added) + added;
    const ulong groups = (ulong)get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
    if ((now + (1uL << (shift - 1))) >> shift != groups) {
        return false;
    }
    atom_xchg(tally, 0uL);
    *sum = (long)(now << (64 - shift)) >> (64 - shift);
    return true;
}

// What a lock guards, and what groups pass on to the last one: components of 32 bits, or of two words of them where no fence orders them. Volatile accesses
// go past the cache that a group of NVIDIA's devices has; and compilers of processors would have all items of a group take each step of a loop that one of them
// runs, as 1024 parts that are added up: 3 us in place of 0.5 for integers of 64 bits.

uint imgc_shared_load_u32(volatile __global uint *p)
{
#ifdef imgc_ordered
    return *p;
#else
    return atomic_or(p, 0u);
#endif
}

// Returns when the value is seen in memory: OpenCL 1.2 orders accesses of one work-item for its group only, so a fence before the
// lock is given back would not be enough. Nobody else writes here meanwhile, so the loop ends at once.
void imgc_shared_store_u32(volatile __global uint *p, uint x)
{
#ifdef imgc_ordered
    *p = x;
#else
    do {
        atomic_xchg(p, x);
    } while (atomic_or(p, 0u) != x);
#endif
}

int imgc_shared_load_i32(volatile __global int *p)
{
    return as_int(imgc_shared_load_u32((volatile __global uint *)p));
}

void imgc_shared_store_i32(volatile __global int *p, int x)
{
    imgc_shared_store_u32((volatile __global uint *)p, as_uint(x));
}

float imgc_shared_load_f32(volatile __global float *p)
{
    return as_float(imgc_shared_load_u32((volatile __global uint *)p));
}

void imgc_shared_store_f32(volatile __global float *p, float x)
{
    imgc_shared_store_u32((volatile __global uint *)p, as_uint(x));
}

uint2 imgc_shared_load_pair(volatile __global uint *p)
{
    return (uint2)(imgc_shared_load_u32(p), imgc_shared_load_u32(p + 1));
}

void imgc_shared_store_pair(volatile __global uint *p, uint2 x)
{
    imgc_shared_store_u32(p, x.x);
    imgc_shared_store_u32(p + 1, x.y);
}

ulong imgc_shared_load_u64(volatile __global ulong *p)
{
#ifdef imgc_ordered
    return *p;
#else
    return as_ulong(imgc_shared_load_pair((volatile __global uint *)p));
#endif
}

void imgc_shared_store_u64(volatile __global ulong *p, ulong x)
{
#ifdef imgc_ordered
    *p = x;
#else
    imgc_shared_store_pair((volatile __global uint *)p, as_uint2(x));
#endif
}

long imgc_shared_load_i64(volatile __global long *p)
{
    return as_long(imgc_shared_load_u64((volatile __global ulong *)p));
}

void imgc_shared_store_i64(volatile __global long *p, long x)
{
    imgc_shared_store_u64((volatile __global ulong *)p, as_ulong(x));
}

double imgc_shared_load_f64(volatile __global double *p)
{
    return as_double(imgc_shared_load_u64((volatile __global ulong *)p));
}

void imgc_shared_store_f64(volatile __global double *p, double x)
{
    imgc_shared_store_u64((volatile __global ulong *)p, as_ulong(x));
}

// Updates of what others update, too, and the last group reads. Like stores they return when memory has them: a compare-and-swap that has its answer is done.

void imgc_shared_add_u32(volatile __global uint *p, uint x)
{
#ifdef imgc_ordered
    atomic_add(p, x);
#else
    uint old, seen = atomic_or(p, 0u);
    do {
        old = seen;
        seen = atomic_cmpxchg(p, old, old + x);
    } while (seen != old);
#endif
}

void imgc_shared_max_u32(volatile __global uint *p, uint x)
{
#ifdef imgc_ordered
    atomic_max(p, x);
#else
    uint old, seen = atomic_or(p, 0u);
    do {
        old = seen;
        seen = atomic_cmpxchg(p, old, max(old, x));
    } while (seen != old);
#endif
}

void imgc_shared_or_u32(volatile __global uint *p, uint x)
{
#ifdef imgc_ordered
    atomic_or(p, x);
#else
    uint old, seen = atomic_or(p, 0u);
    do {
        old = seen;
        seen = atomic_cmpxchg(p, old, old | x);
    } while (seen != old);
#endif
}

void imgc_shared_xor_u32(volatile __global uint *p, uint x)
{
#ifdef imgc_ordered
    atomic_xor(p, x);
#else
    uint old, seen = atomic_or(p, 0u);
    do {
        old = seen;
        seen = atomic_cmpxchg(p, old, old ^ x);
    } while (seen != old);
#endif
}

void imgc_shared_add_u64(volatile __global ulong *p, ulong x)
{
#ifdef imgc_ordered
    atom_add(p, x);
#else
    ulong old, seen = atom_add(p, 0uL);
    do {
        old = seen;
        seen = atom_cmpxchg(p, old, old + x);
    } while (seen != old);
#endif
}
