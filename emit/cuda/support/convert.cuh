// Integers out of the range of the kind that is wanted give its nearest value.

static __device__ __forceinline__ int8_t imgc_sat_i8_i32(int x)
{
    return (int8_t)min(max(x, -128), 127);
}

static __device__ __forceinline__ int8_t imgc_sat_i8_u32(uint32_t x)
{
    return (int8_t)min(x, 127u);
}

static __device__ __forceinline__ int8_t imgc_sat_i8_i64(long long x)
{
    return (int8_t)min(max(x, -128LL), 127LL);
}

static __device__ __forceinline__ int8_t imgc_sat_i8_u64(unsigned long long x)
{
    return (int8_t)min(x, 127uLL);
}

static __device__ __forceinline__ uint8_t imgc_sat_u8_i32(int x)
{
    return (uint8_t)min(max(x, 0), 255);
}

static __device__ __forceinline__ uint8_t imgc_sat_u8_u32(uint32_t x)
{
    return (uint8_t)min(x, 255u);
}

static __device__ __forceinline__ uint8_t imgc_sat_u8_i64(long long x)
{
    return (uint8_t)min(max(x, 0LL), 255LL);
}

static __device__ __forceinline__ uint8_t imgc_sat_u8_u64(unsigned long long x)
{
    return (uint8_t)min(x, 255uLL);
}

static __device__ __forceinline__ int16_t imgc_sat_i16_i32(int x)
{
    return (int16_t)min(max(x, -32768), 32767);
}

static __device__ __forceinline__ int16_t imgc_sat_i16_u32(uint32_t x)
{
    return (int16_t)min(x, 32767u);
}

static __device__ __forceinline__ int16_t imgc_sat_i16_i64(long long x)
{
    return (int16_t)min(max(x, -32768LL), 32767LL);
}

static __device__ __forceinline__ int16_t imgc_sat_i16_u64(unsigned long long x)
{
    return (int16_t)min(x, 32767uLL);
}

static __device__ __forceinline__ uint16_t imgc_sat_u16_i32(int x)
{
    return (uint16_t)min(max(x, 0), 65535);
}

static __device__ __forceinline__ uint16_t imgc_sat_u16_u32(uint32_t x)
{
    return (uint16_t)min(x, 65535u);
}

static __device__ __forceinline__ uint16_t imgc_sat_u16_i64(long long x)
{
    return (uint16_t)min(max(x, 0LL), 65535LL);
}

static __device__ __forceinline__ uint16_t imgc_sat_u16_u64(unsigned long long x)
{
    return (uint16_t)min(x, 65535uLL);
}

static __device__ __forceinline__ int imgc_sat_i32_u32(uint32_t x)
{
    return (int)min(x, (uint32_t)INT_MAX);
}

static __device__ __forceinline__ int imgc_sat_i32_i64(long long x)
{
    return (int)min(max(x, (long long)INT_MIN), (long long)INT_MAX);
}

static __device__ __forceinline__ int imgc_sat_i32_u64(unsigned long long x)
{
    return (int)min(x, (unsigned long long)INT_MAX);
}

static __device__ __forceinline__ uint32_t imgc_sat_u32_i32(int x)
{
    return (uint32_t)max(x, 0);
}

static __device__ __forceinline__ uint32_t imgc_sat_u32_i64(long long x)
{
    return (uint32_t)min(max(x, 0LL), (long long)UINT_MAX);
}

static __device__ __forceinline__ uint32_t imgc_sat_u32_u64(unsigned long long x)
{
    return (uint32_t)min(x, (unsigned long long)UINT_MAX);
}

static __device__ __forceinline__ long long imgc_sat_i64_u64(unsigned long long x)
{
    return (long long)min(x, (unsigned long long)LLONG_MAX);
}

static __device__ __forceinline__ unsigned long long imgc_sat_u64_i32(int x)
{
    return (unsigned long long)max(x, 0);
}

static __device__ __forceinline__ unsigned long long imgc_sat_u64_i64(long long x)
{
    return (unsigned long long)max(x, 0LL);
}

// Floats to integers: what is out of range gives the nearest value, NaN gives 0. The instructions do that but for NaN where one of
// the two has 64 bits.

static __device__ __forceinline__ int8_t imgc_trunc_i8_f32(float x)
{
    int y;
    asm("cvt.rzi.sat.s8.f32 %0, %1;" : "=r"(y) : "f"(x));
    return (int8_t)y;
}

static __device__ __forceinline__ int8_t imgc_nearest_i8_f32(float x)
{
    int y;
    asm("cvt.rni.sat.s8.f32 %0, %1;" : "=r"(y) : "f"(x));
    return (int8_t)y;
}

static __device__ __forceinline__ uint8_t imgc_trunc_u8_f32(float x)
{
    int y;
    asm("cvt.rzi.sat.u8.f32 %0, %1;" : "=r"(y) : "f"(x));
    return (uint8_t)y;
}

static __device__ __forceinline__ uint8_t imgc_nearest_u8_f32(float x)
{
    int y;
    asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(y) : "f"(x));
    return (uint8_t)y;
}

static __device__ __forceinline__ int16_t imgc_trunc_i16_f32(float x)
{
    int y;
    asm("cvt.rzi.sat.s16.f32 %0, %1;" : "=r"(y) : "f"(x));
    return (int16_t)y;
}

static __device__ __forceinline__ int16_t imgc_nearest_i16_f32(float x)
{
    int y;
    asm("cvt.rni.sat.s16.f32 %0, %1;" : "=r"(y) : "f"(x));
    return (int16_t)y;
}

static __device__ __forceinline__ uint16_t imgc_trunc_u16_f32(float x)
{
    int y;
    asm("cvt.rzi.sat.u16.f32 %0, %1;" : "=r"(y) : "f"(x));
    return (uint16_t)y;
}

static __device__ __forceinline__ uint16_t imgc_nearest_u16_f32(float x)
{
    int y;
    asm("cvt.rni.sat.u16.f32 %0, %1;" : "=r"(y) : "f"(x));
    return (uint16_t)y;
}

static __device__ __forceinline__ int imgc_trunc_i32_f32(float x)
{
    return __float2int_rz(x);
}

static __device__ __forceinline__ int imgc_nearest_i32_f32(float x)
{
    return __float2int_rn(x);
}

static __device__ __forceinline__ uint32_t imgc_trunc_u32_f32(float x)
{
    return __float2uint_rz(x);
}

static __device__ __forceinline__ uint32_t imgc_nearest_u32_f32(float x)
{
    return __float2uint_rn(x);
}

static __device__ __forceinline__ long long imgc_trunc_i64_f32(float x)
{
    return isnan(x) ? 0 : __float2ll_rz(x);
}

static __device__ __forceinline__ long long imgc_nearest_i64_f32(float x)
{
    return isnan(x) ? 0 : __float2ll_rn(x);
}

static __device__ __forceinline__ unsigned long long imgc_trunc_u64_f32(float x)
{
    return isnan(x) ? 0 : __float2ull_rz(x);
}

static __device__ __forceinline__ unsigned long long imgc_nearest_u64_f32(float x)
{
    return isnan(x) ? 0 : __float2ull_rn(x);
}

static __device__ __forceinline__ int8_t imgc_trunc_i8_f64(double x)
{
    return isnan(x) ? 0 : (int8_t)min(max(__double2int_rz(x), -128), 127);
}

static __device__ __forceinline__ int8_t imgc_nearest_i8_f64(double x)
{
    return isnan(x) ? 0 : (int8_t)min(max(__double2int_rn(x), -128), 127);
}

static __device__ __forceinline__ uint8_t imgc_trunc_u8_f64(double x)
{
    return isnan(x) ? 0 : (uint8_t)min(max(__double2int_rz(x), 0), 255);
}

static __device__ __forceinline__ uint8_t imgc_nearest_u8_f64(double x)
{
    return isnan(x) ? 0 : (uint8_t)min(max(__double2int_rn(x), 0), 255);
}

static __device__ __forceinline__ int16_t imgc_trunc_i16_f64(double x)
{
    return isnan(x) ? 0 : (int16_t)min(max(__double2int_rz(x), -32768), 32767);
}

static __device__ __forceinline__ int16_t imgc_nearest_i16_f64(double x)
{
    return isnan(x) ? 0 : (int16_t)min(max(__double2int_rn(x), -32768), 32767);
}

static __device__ __forceinline__ uint16_t imgc_trunc_u16_f64(double x)
{
    return isnan(x) ? 0 : (uint16_t)min(max(__double2int_rz(x), 0), 65535);
}

static __device__ __forceinline__ uint16_t imgc_nearest_u16_f64(double x)
{
    return isnan(x) ? 0 : (uint16_t)min(max(__double2int_rn(x), 0), 65535);
}

static __device__ __forceinline__ int imgc_trunc_i32_f64(double x)
{
    return isnan(x) ? 0 : __double2int_rz(x);
}

static __device__ __forceinline__ int imgc_nearest_i32_f64(double x)
{
    return isnan(x) ? 0 : __double2int_rn(x);
}

static __device__ __forceinline__ uint32_t imgc_trunc_u32_f64(double x)
{
    return isnan(x) ? 0 : __double2uint_rz(x);
}

static __device__ __forceinline__ uint32_t imgc_nearest_u32_f64(double x)
{
    return isnan(x) ? 0 : __double2uint_rn(x);
}

static __device__ __forceinline__ long long imgc_trunc_i64_f64(double x)
{
    return isnan(x) ? 0 : __double2ll_rz(x);
}

static __device__ __forceinline__ long long imgc_nearest_i64_f64(double x)
{
    return isnan(x) ? 0 : __double2ll_rn(x);
}

static __device__ __forceinline__ unsigned long long imgc_trunc_u64_f64(double x)
{
    return isnan(x) ? 0 : __double2ull_rz(x);
}

static __device__ __forceinline__ unsigned long long imgc_nearest_u64_f64(double x)
{
    return isnan(x) ? 0 : __double2ull_rn(x);
}

// The bits of one kind taken for another's.

static __device__ __forceinline__ int imgc_bits_f32_i32(float x)
{
    return __float_as_int(x);
}

static __device__ __forceinline__ uint32_t imgc_bits_f32_u32(float x)
{
    return __float_as_uint(x);
}

static __device__ __forceinline__ float imgc_bits_i32_f32(int x)
{
    return __int_as_float(x);
}

static __device__ __forceinline__ float imgc_bits_u32_f32(uint32_t x)
{
    return __uint_as_float(x);
}

static __device__ __forceinline__ long long imgc_bits_f64_i64(double x)
{
    return __double_as_longlong(x);
}

static __device__ __forceinline__ unsigned long long imgc_bits_f64_u64(double x)
{
    return (unsigned long long)__double_as_longlong(x);
}

static __device__ __forceinline__ double imgc_bits_i64_f64(long long x)
{
    return __longlong_as_double(x);
}

static __device__ __forceinline__ double imgc_bits_u64_f64(unsigned long long x)
{
    return __longlong_as_double((long long)x);
}
