// Updates of one component that CUDA has no function for on every device: the new value is stored where the old one is still there,
// else computed again from the one that has taken its place. The first guess is 0; a wrong one fetches the value.

template <typename F>
static __device__ __forceinline__ void imgc_atomic_update_i32(int *p, F next)
{
    uint32_t *word = (uint32_t *)p;
    uint32_t old = 0, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, (uint32_t)(next((int)(seen))));
    } while (old != seen);
}

template <typename F>
static __device__ __forceinline__ void imgc_atomic_update_u32(uint32_t *p, F next)
{
    uint32_t *word = (uint32_t *)p;
    uint32_t old = 0, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, next(seen));
    } while (old != seen);
}

template <typename F>
static __device__ __forceinline__ void imgc_atomic_update_f32(float *p, F next)
{
    uint32_t *word = (uint32_t *)p;
    uint32_t old = 0, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, __float_as_uint(next(__uint_as_float(seen))));
    } while (old != seen);
}

template <typename F>
static __device__ __forceinline__ void imgc_atomic_update_i64(long long *p, F next)
{
    unsigned long long *word = (unsigned long long *)p;
    unsigned long long old = 0, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, (unsigned long long)(next((long long)(seen))));
    } while (old != seen);
}

template <typename F>
static __device__ __forceinline__ void imgc_atomic_update_u64(unsigned long long *p, F next)
{
    unsigned long long *word = (unsigned long long *)p;
    unsigned long long old = 0, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, next(seen));
    } while (old != seen);
}

template <typename F>
static __device__ __forceinline__ void imgc_atomic_update_f64(double *p, F next)
{
    unsigned long long *word = (unsigned long long *)p;
    unsigned long long old = 0, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, (unsigned long long)__double_as_longlong(next(__longlong_as_double((long long)(seen)))));
    } while (old != seen);
}

static __device__ __forceinline__ void imgc_atomic_mul_i32(int *p, int x)
{
    imgc_atomic_update_i32(p, [x](int v) { return (int)((uint32_t)v * (uint32_t)x); });
}

static __device__ __forceinline__ void imgc_atomic_mul_u32(uint32_t *p, uint32_t x)
{
    imgc_atomic_update_u32(p, [x](uint32_t v) { return v * x; });
}

static __device__ __forceinline__ void imgc_atomic_add_f32(float *p, float x)
{
    imgc_atomic_update_f32(p, [x](float v) { return v + x; });
}

static __device__ __forceinline__ void imgc_atomic_sub_f32(float *p, float x)
{
    imgc_atomic_update_f32(p, [x](float v) { return v - x; });
}

static __device__ __forceinline__ void imgc_atomic_mul_f32(float *p, float x)
{
    imgc_atomic_update_f32(p, [x](float v) { return imgc_product_f32(v, x); });
}

static __device__ __forceinline__ void imgc_atomic_min_f32(float *p, float x)
{
    imgc_atomic_update_f32(p, [x](float v) { return fminf(v, x); });
}

static __device__ __forceinline__ void imgc_atomic_max_f32(float *p, float x)
{
    imgc_atomic_update_f32(p, [x](float v) { return fmaxf(v, x); });
}

static __device__ __forceinline__ void imgc_atomic_sub_f64(double *p, double x)
{
    imgc_atomic_update_f64(p, [x](double v) { return v - x; });
}

static __device__ __forceinline__ void imgc_atomic_mul_f64(double *p, double x)
{
    imgc_atomic_update_f64(p, [x](double v) { return imgc_product_f64(v, x); });
}

static __device__ __forceinline__ void imgc_atomic_min_f64(double *p, double x)
{
    imgc_atomic_update_f64(p, [x](double v) { return fmin(v, x); });
}

static __device__ __forceinline__ void imgc_atomic_max_f64(double *p, double x)
{
    imgc_atomic_update_f64(p, [x](double v) { return fmax(v, x); });
}

static __device__ __forceinline__ void imgc_atomic_add_f64(double *p, double x)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
    atomicAdd(p, x);
#else
    imgc_atomic_update_f64(p, [x](double v) { return v + x; });
#endif
}

static __device__ __forceinline__ void imgc_atomic_add_i64(long long *p, long long x)
{
    atomicAdd((unsigned long long *)p, (unsigned long long)x);
}

static __device__ __forceinline__ void imgc_atomic_sub_i64(long long *p, long long x)
{
    atomicAdd((unsigned long long *)p, 0uLL - (unsigned long long)x);
}

static __device__ __forceinline__ void imgc_atomic_sub_u64(unsigned long long *p, unsigned long long x)
{
    atomicAdd(p, 0uLL - x);
}

static __device__ __forceinline__ void imgc_atomic_and_i64(long long *p, long long x)
{
    atomicAnd((unsigned long long *)p, (unsigned long long)x);
}

static __device__ __forceinline__ void imgc_atomic_or_i64(long long *p, long long x)
{
    atomicOr((unsigned long long *)p, (unsigned long long)x);
}

static __device__ __forceinline__ void imgc_atomic_xor_i64(long long *p, long long x)
{
    atomicXor((unsigned long long *)p, (unsigned long long)x);
}

static __device__ __forceinline__ void imgc_atomic_mul_i64(long long *p, long long x)
{
    imgc_atomic_update_i64(p, [x](long long v) { return (long long)((unsigned long long)v * (unsigned long long)x); });
}

static __device__ __forceinline__ void imgc_atomic_mul_u64(unsigned long long *p, unsigned long long x)
{
    imgc_atomic_update_u64(p, [x](unsigned long long v) { return v * x; });
}

// A lock is 0 while it is free. The fences keep what it guards between taking and releasing it.

static __device__ __forceinline__ bool imgc_try_lock(uint32_t *lock)
{
    const bool mine = atomicCAS(lock, 0u, 1u) == 0u;
    __threadfence();
    return mine;
}

static __device__ __forceinline__ void imgc_unlock(uint32_t *lock)
{
    __threadfence();
    atomicExch(lock, 0u);
}

// What a lock guards.

template <typename T>
static __device__ __forceinline__ T imgc_shared_load(const T *p)
{
    return *(const volatile T *)p;
}

template <typename T>
static __device__ __forceinline__ void imgc_shared_store(T *p, T x)
{
    *(volatile T *)p = x;
}
