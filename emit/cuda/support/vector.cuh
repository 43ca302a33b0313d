// Vectors lie packed in memory, from any component on: they are read and written by components.

template <typename V, typename T>
static __device__ __forceinline__ V imgc_load2(const T *p)
{
    return V{p[0], p[1]};
}

template <typename V, typename T>
static __device__ __forceinline__ V imgc_load3(const T *p)
{
    return V{p[0], p[1], p[2]};
}

template <typename V, typename T>
static __device__ __forceinline__ V imgc_load4(const T *p)
{
    return V{p[0], p[1], p[2], p[3]};
}

template <typename V, typename T>
static __device__ __forceinline__ void imgc_store2(T *p, V v)
{
    p[0] = v.x;
    p[1] = v.y;
}

template <typename V, typename T>
static __device__ __forceinline__ void imgc_store3(T *p, V v)
{
    p[0] = v.x;
    p[1] = v.y;
    p[2] = v.z;
}

template <typename V, typename T>
static __device__ __forceinline__ void imgc_store4(T *p, V v)
{
    p[0] = v.x;
    p[1] = v.y;
    p[2] = v.z;
    p[3] = v.w;
}

// Bytes of memory that are no bools are true.

static __device__ __forceinline__ uchar2 imgc_load_boolx2(const uint8_t *p)
{
    return uchar2{p[0] != 0, p[1] != 0};
}

static __device__ __forceinline__ uchar3 imgc_load_boolx3(const uint8_t *p)
{
    return uchar3{p[0] != 0, p[1] != 0, p[2] != 0};
}

static __device__ __forceinline__ uchar4 imgc_load_boolx4(const uint8_t *p)
{
    return uchar4{p[0] != 0, p[1] != 0, p[2] != 0, p[3] != 0};
}

static __device__ __forceinline__ float2 imgc_load_f16x2(const __half *p)
{
    return float2{__half2float(p[0]), __half2float(p[1])};
}

static __device__ __forceinline__ void imgc_store_f16x2(__half *p, float2 v)
{
    p[0] = __float2half_rn(v.x);
    p[1] = __float2half_rn(v.y);
}

static __device__ __forceinline__ float3 imgc_load_f16x3(const __half *p)
{
    return float3{__half2float(p[0]), __half2float(p[1]), __half2float(p[2])};
}

static __device__ __forceinline__ void imgc_store_f16x3(__half *p, float3 v)
{
    p[0] = __float2half_rn(v.x);
    p[1] = __float2half_rn(v.y);
    p[2] = __float2half_rn(v.z);
}

static __device__ __forceinline__ float4 imgc_load_f16x4(const __half *p)
{
    return float4{__half2float(p[0]), __half2float(p[1]), __half2float(p[2]), __half2float(p[3])};
}

static __device__ __forceinline__ void imgc_store_f16x4(__half *p, float4 v)
{
    p[0] = __float2half_rn(v.x);
    p[1] = __float2half_rn(v.y);
    p[2] = __float2half_rn(v.z);
    p[3] = __float2half_rn(v.w);
}

static __device__ __forceinline__ float2 imgc_load_bf16x2(const __nv_bfloat16 *p)
{
    return float2{__bfloat162float(p[0]), __bfloat162float(p[1])};
}

static __device__ __forceinline__ void imgc_store_bf16x2(__nv_bfloat16 *p, float2 v)
{
    p[0] = __float2bfloat16_rn(v.x);
    p[1] = __float2bfloat16_rn(v.y);
}

static __device__ __forceinline__ float3 imgc_load_bf16x3(const __nv_bfloat16 *p)
{
    return float3{__bfloat162float(p[0]), __bfloat162float(p[1]), __bfloat162float(p[2])};
}

static __device__ __forceinline__ void imgc_store_bf16x3(__nv_bfloat16 *p, float3 v)
{
    p[0] = __float2bfloat16_rn(v.x);
    p[1] = __float2bfloat16_rn(v.y);
    p[2] = __float2bfloat16_rn(v.z);
}

static __device__ __forceinline__ float4 imgc_load_bf16x4(const __nv_bfloat16 *p)
{
    return float4{__bfloat162float(p[0]), __bfloat162float(p[1]), __bfloat162float(p[2]), __bfloat162float(p[3])};
}

static __device__ __forceinline__ void imgc_store_bf16x4(__nv_bfloat16 *p, float4 v)
{
    p[0] = __float2bfloat16_rn(v.x);
    p[1] = __float2bfloat16_rn(v.y);
    p[2] = __float2bfloat16_rn(v.z);
    p[3] = __float2bfloat16_rn(v.w);
}

// One value in all lanes.

template <typename V, typename T>
static __device__ __forceinline__ V imgc_splat2(T x)
{
    return V{x, x};
}

template <typename V, typename T>
static __device__ __forceinline__ V imgc_splat3(T x)
{
    return V{x, x, x};
}

template <typename V, typename T>
static __device__ __forceinline__ V imgc_splat4(T x)
{
    return V{x, x, x, x};
}

// The lanes of a where those of c are not 0, else those of b.

template <typename V>
static __device__ __forceinline__ V imgc_choose2(uchar2 c, V a, V b)
{
    return V{c.x ? a.x : b.x, c.y ? a.y : b.y};
}

template <typename V>
static __device__ __forceinline__ V imgc_choose3(uchar3 c, V a, V b)
{
    return V{c.x ? a.x : b.x, c.y ? a.y : b.y, c.z ? a.z : b.z};
}

template <typename V>
static __device__ __forceinline__ V imgc_choose4(uchar4 c, V a, V b)
{
    return V{c.x ? a.x : b.x, c.y ? a.y : b.y, c.z ? a.z : b.z, c.w ? a.w : b.w};
}
