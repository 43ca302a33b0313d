// Updates of one component that OpenCL 1.2 has no function for: the new value is stored where the old one is still there, else
// computed again from the one that has taken its place.

void imgc_atomic_mul_i32(volatile __global int *p, int x)
{
    volatile __global uint *word = (volatile __global uint *)p;
    uint old = *word, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(word, seen, old * (uint)x);
    } while (old != seen);
}

void imgc_atomic_mul_u32(volatile __global uint *p, uint x)
{
    volatile __global uint *word = (volatile __global uint *)p;
    uint old = *word, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(word, seen, old * x);
    } while (old != seen);
}

void imgc_atomic_add_f32(volatile __global float *p, float x)
{
    volatile __global uint *word = (volatile __global uint *)p;
    uint old = *word, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(word, seen, as_uint(as_float(old) + x));
    } while (old != seen);
}

void imgc_atomic_sub_f32(volatile __global float *p, float x)
{
    volatile __global uint *word = (volatile __global uint *)p;
    uint old = *word, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(word, seen, as_uint(as_float(old) - x));
    } while (old != seen);
}

void imgc_atomic_mul_f32(volatile __global float *p, float x)
{
    volatile __global uint *word = (volatile __global uint *)p;
    uint old = *word, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(word, seen, as_uint(as_float(old) * x));
    } while (old != seen);
}

void imgc_atomic_min_f32(volatile __global float *p, float x)
{
    volatile __global uint *word = (volatile __global uint *)p;
    uint old = *word, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(word, seen, as_uint(fmin(as_float(old), x)));
    } while (old != seen);
}

void imgc_atomic_max_f32(volatile __global float *p, float x)
{
    volatile __global uint *word = (volatile __global uint *)p;
    uint old = *word, seen;
    do {
        seen = old;
        old = atomic_cmpxchg(word, seen, as_uint(fmax(as_float(old), x)));
    } while (old != seen);
}

void imgc_atomic_add_i64(volatile __global long *p, long x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old + (ulong)x);
    } while (old != seen);
}

void imgc_atomic_sub_i64(volatile __global long *p, long x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old - (ulong)x);
    } while (old != seen);
}

void imgc_atomic_mul_i64(volatile __global long *p, long x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old * (ulong)x);
    } while (old != seen);
}

void imgc_atomic_min_i64(volatile __global long *p, long x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, (ulong)min((long)old, x));
    } while (old != seen);
}

void imgc_atomic_max_i64(volatile __global long *p, long x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, (ulong)max((long)old, x));
    } while (old != seen);
}

void imgc_atomic_and_i64(volatile __global long *p, long x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old & (ulong)x);
    } while (old != seen);
}

void imgc_atomic_or_i64(volatile __global long *p, long x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old | (ulong)x);
    } while (old != seen);
}

void imgc_atomic_xor_i64(volatile __global long *p, long x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old ^ (ulong)x);
    } while (old != seen);
}

void imgc_atomic_add_u64(volatile __global ulong *p, ulong x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old + x);
    } while (old != seen);
}

void imgc_atomic_sub_u64(volatile __global ulong *p, ulong x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old - x);
    } while (old != seen);
}

void imgc_atomic_mul_u64(volatile __global ulong *p, ulong x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old * x);
    } while (old != seen);
}

void imgc_atomic_min_u64(volatile __global ulong *p, ulong x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, min(old, x));
    } while (old != seen);
}

void imgc_atomic_max_u64(volatile __global ulong *p, ulong x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, max(old, x));
    } while (old != seen);
}

void imgc_atomic_and_u64(volatile __global ulong *p, ulong x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old & x);
    } while (old != seen);
}

void imgc_atomic_or_u64(volatile __global ulong *p, ulong x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old | x);
    } while (old != seen);
}

void imgc_atomic_xor_u64(volatile __global ulong *p, ulong x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, old ^ x);
    } while (old != seen);
}

void imgc_atomic_add_f64(volatile __global double *p, double x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, as_ulong(as_double(old) + x));
    } while (old != seen);
}

void imgc_atomic_sub_f64(volatile __global double *p, double x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, as_ulong(as_double(old) - x));
    } while (old != seen);
}

void imgc_atomic_mul_f64(volatile __global double *p, double x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, as_ulong(as_double(old) * x));
    } while (old != seen);
}

void imgc_atomic_min_f64(volatile __global double *p, double x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, as_ulong(fmin(as_double(old), x)));
    } while (old != seen);
}

void imgc_atomic_max_f64(volatile __global double *p, double x)
{
    volatile __global ulong *word = (volatile __global ulong *)p;
    ulong old = *word, seen;
    do {
        seen = old;
        old = atom_cmpxchg(word, seen, as_ulong(fmax(as_double(old), x)));
    } while (old != seen);
}

// A lock is 0 while it is free. The fences keep what it guards between taking and releasing it.

bool imgc_try_lock(volatile __global uint *lock)
{
    const bool mine = atomic_cmpxchg(lock, 0u, 1u) == 0u;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    return mine;
}

void imgc_unlock(volatile __global uint *lock)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0u);
}
