// Floats to integers: what is out of range gives the nearest value, NaN gives 0. OpenCL's saturating conversions say the same of
// ranges and recommend it of NaN, but some devices make another value of NaN, and PoCL's give anything where its compiler knows that
// the operand is out of range. So no conversion here meets such a value.

// The nearest integer of a float in range. The drivers of processors make a call of a conversion that rounds, which takes four times as
// long as the instruction and keeps loops from vector registers.
#if defined(__x86_64__) || defined(__aarch64__)
#define imgc_nearest(kind, x) ((kind)__builtin_rintf(x))
#else
#define imgc_nearest(kind, x) convert_##kind##_rte(x)
#endif

// The end of a conversion to at most 32 bits: one instruction of NVIDIA's devices does all that the expression says, for which its drivers take
// up to ten.
#if IMGC_COMPUTE_CAPABILITY >= 20
#define imgc_convert(rounding, kind, x, expression) int y; asm("cvt." rounding ".sat." kind ".f32 %0, %1;" : "=r"(y) : "f"(x)); return y
#else
#define imgc_convert(rounding, kind, x, expression) return expression
#endif

char imgc_trunc_i8_f32(float x)
{
    imgc_convert("rzi", "s8", x, isnan(x) ? 0 : x >= 127.0f ? 127 : x <= -128.0f ? -128 : convert_char_rtz(x));
}

char imgc_nearest_i8_f32(float x)
{
    imgc_convert("rni", "s8", x, isnan(x) ? 0 : x >= 127.0f ? 127 : x <= -128.0f ? -128 : imgc_nearest(char, x));
}

short imgc_trunc_i16_f32(float x)
{
    imgc_convert("rzi", "s16", x, isnan(x) ? 0 : x >= 32767.0f ? 32767 : x <= -32768.0f ? -32768 : convert_short_rtz(x));
}

short imgc_nearest_i16_f32(float x)
{
    imgc_convert("rni", "s16", x, isnan(x) ? 0 : x >= 32767.0f ? 32767 : x <= -32768.0f ? -32768 : imgc_nearest(short, x));
}

int imgc_trunc_i32_f32(float x)
{
    imgc_convert("rzi", "s32", x, isnan(x) ? 0 : x >= 0x1p31f ? INT_MAX : x <= -0x1p31f ? INT_MIN : convert_int_rtz(x));
}

int imgc_nearest_i32_f32(float x)
{
    imgc_convert("rni", "s32", x, isnan(x) ? 0 : x >= 0x1p31f ? INT_MAX : x <= -0x1p31f ? INT_MIN : imgc_nearest(int, x));
}

long imgc_trunc_i64_f32(float x)
{
    return isnan(x) ? 0 : x >= 0x1p63f ? LONG_MAX : x <= -0x1p63f ? LONG_MIN : convert_long_rtz(x);
}

long imgc_nearest_i64_f32(float x)
{
    return isnan(x) ? 0 : x >= 0x1p63f ? LONG_MAX : x <= -0x1p63f ? LONG_MIN : convert_long_rte(x);
}

uchar imgc_trunc_u8_f32(float x)
{
    imgc_convert("rzi", "u8", x, x >= 255.0f ? 255 : x > 0 ? convert_uchar_rtz(x) : 0);
}

// In range: one that saturates takes a quarter of the time of a cast on NVIDIA's devices.
uchar imgc_within_u8_f32(float x)
{
    imgc_convert("rzi", "u8", x, (uchar)x);
}

uchar imgc_nearest_u8_f32(float x)
{
    imgc_convert("rni", "u8", x, x >= 255.0f ? 255 : x > 0 ? imgc_nearest(uchar, x) : 0);
}

ushort imgc_trunc_u16_f32(float x)
{
    imgc_convert("rzi", "u16", x, x >= 65535.0f ? 65535 : x > 0 ? convert_ushort_rtz(x) : 0);
}

ushort imgc_nearest_u16_f32(float x)
{
    imgc_convert("rni", "u16", x, x >= 65535.0f ? 65535 : x > 0 ? imgc_nearest(ushort, x) : 0);
}

uint imgc_trunc_u32_f32(float x)
{
    imgc_convert("rzi", "u32", x, x >= 0x1p32f ? UINT_MAX : x > 0 ? convert_uint_rtz(x) : 0);
}

uint imgc_nearest_u32_f32(float x)
{
    imgc_convert("rni", "u32", x, x >= 0x1p32f ? UINT_MAX : x > 0 ? imgc_nearest(uint, x) : 0);
}

ulong imgc_trunc_u64_f32(float x)
{
    return x >= 0x1p64f ? ULONG_MAX : x > 0 ? convert_ulong_rtz(x) : 0;
}

ulong imgc_nearest_u64_f32(float x)
{
    return x >= 0x1p64f ? ULONG_MAX : x > 0 ? convert_ulong_rte(x) : 0;
}

char imgc_trunc_i8_f64(double x)
{
    return isnan(x) ? 0 : x >= 127.0 ? 127 : x <= -128.0 ? -128 : convert_char_rtz(x);
}

char imgc_nearest_i8_f64(double x)
{
    return isnan(x) ? 0 : x >= 127.0 ? 127 : x <= -128.0 ? -128 : convert_char_rte(x);
}

short imgc_trunc_i16_f64(double x)
{
    return isnan(x) ? 0 : x >= 32767.0 ? 32767 : x <= -32768.0 ? -32768 : convert_short_rtz(x);
}

short imgc_nearest_i16_f64(double x)
{
    return isnan(x) ? 0 : x >= 32767.0 ? 32767 : x <= -32768.0 ? -32768 : convert_short_rte(x);
}

int imgc_trunc_i32_f64(double x)
{
    return isnan(x) ? 0 : x >= 2147483647.0 ? INT_MAX : x <= -0x1p31 ? INT_MIN : convert_int_rtz(x);
}

int imgc_nearest_i32_f64(double x)
{
    return isnan(x) ? 0 : x >= 2147483647.0 ? INT_MAX : x <= -0x1p31 ? INT_MIN : convert_int_rte(x);
}

long imgc_trunc_i64_f64(double x)
{
    return isnan(x) ? 0 : x >= 0x1p63 ? LONG_MAX : x <= -0x1p63 ? LONG_MIN : convert_long_rtz(x);
}

long imgc_nearest_i64_f64(double x)
{
    return isnan(x) ? 0 : x >= 0x1p63 ? LONG_MAX : x <= -0x1p63 ? LONG_MIN : convert_long_rte(x);
}

uchar imgc_trunc_u8_f64(double x)
{
    return x >= 255.0 ? 255 : x > 0 ? convert_uchar_rtz(x) : 0;
}

uchar imgc_nearest_u8_f64(double x)
{
    return x >= 255.0 ? 255 : x > 0 ? convert_uchar_rte(x) : 0;
}

ushort imgc_trunc_u16_f64(double x)
{
    return x >= 65535.0 ? 65535 : x > 0 ? convert_ushort_rtz(x) : 0;
}

ushort imgc_nearest_u16_f64(double x)
{
    return x >= 65535.0 ? 65535 : x > 0 ? convert_ushort_rte(x) : 0;
}

uint imgc_trunc_u32_f64(double x)
{
    return x >= 4294967295.0 ? UINT_MAX : x > 0 ? convert_uint_rtz(x) : 0;
}

uint imgc_nearest_u32_f64(double x)
{
    return x >= 4294967295.0 ? UINT_MAX : x > 0 ? convert_uint_rte(x) : 0;
}

ulong imgc_trunc_u64_f64(double x)
{
    return x >= 0x1p64 ? ULONG_MAX : x > 0 ? convert_ulong_rtz(x) : 0;
}

ulong imgc_nearest_u64_f64(double x)
{
    return x >= 0x1p64 ? ULONG_MAX : x > 0 ? convert_ulong_rte(x) : 0;
}
