// f16 and bf16 are held in float; every operation rounds its result to the nearest value of the kind, ties to even.

// The bits of memory and back.
ushort imgc_to_f16(float x)
{
    ushort bits;
#if IMGC_COMPUTE_CAPABILITY >= 20
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
#else
    vstore_half_rte(x, 0, (half *)&bits);
#endif
    return bits;
}

float imgc_from_f16(ushort bits)
{
#if IMGC_COMPUTE_CAPABILITY >= 20
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
#else
    return vload_half(0, (half *)&bits);
#endif
}

float2 imgc_from_f16x2(ushort2 bits)
{
    return (float2)(imgc_from_f16(bits.x), imgc_from_f16(bits.y));
}

float3 imgc_from_f16x3(ushort3 bits)
{
    return (float3)(imgc_from_f16(bits.x), imgc_from_f16(bits.y), imgc_from_f16(bits.z));
}

float4 imgc_from_f16x4(ushort4 bits)
{
    return (float4)(imgc_from_f16(bits.x), imgc_from_f16(bits.y), imgc_from_f16(bits.z), imgc_from_f16(bits.w));
}

ushort2 imgc_to_f16x2(float2 x)
{
    return (ushort2)(imgc_to_f16(x.x), imgc_to_f16(x.y));
}

ushort4 imgc_to_f16x4(float4 x)
{
    return (ushort4)(imgc_to_f16(x.x), imgc_to_f16(x.y), imgc_to_f16(x.z), imgc_to_f16(x.w));
}

float imgc_f16(float x)
{
    return imgc_from_f16(imgc_to_f16(x));
}

// bf16 is the upper half of a float. A NaN stays one, even where only bits of the lower half say so.
ushort imgc_to_bf16(float x)
{
    uint bits = as_uint(x);
    if (isnan(x))
        return (bits >> 16) | ((bits & 0x7f0000) == 0 ? 0x40 : 0);
    return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}

ushort2 imgc_to_bf16x2(float2 x)
{
    return (ushort2)(imgc_to_bf16(x.x), imgc_to_bf16(x.y));
}

ushort3 imgc_to_bf16x3(float3 x)
{
    return (ushort3)(imgc_to_bf16(x.x), imgc_to_bf16(x.y), imgc_to_bf16(x.z));
}

ushort4 imgc_to_bf16x4(float4 x)
{
    return (ushort4)(imgc_to_bf16(x.x), imgc_to_bf16(x.y), imgc_to_bf16(x.z), imgc_to_bf16(x.w));
}

float imgc_from_bf16(ushort bits)
{
    return as_float((uint)bits << 16);
}

float2 imgc_from_bf16x2(ushort2 bits)
{
    return as_float2(convert_uint2(bits) << 16);
}

float3 imgc_from_bf16x3(ushort3 bits)
{
    return as_float3(convert_uint3(bits) << 16);
}

float4 imgc_from_bf16x4(ushort4 bits)
{
    return as_float4(convert_uint4(bits) << 16);
}

float imgc_bf16(float x)
{
    return imgc_from_bf16(imgc_to_bf16(x));
}

// One kind's bits taken for the other's.
float imgc_bits_f16_bf16(float x)
{
    return imgc_from_bf16(imgc_to_f16(x));
}

float imgc_bits_bf16_f16(float x)
{
    return imgc_from_f16(imgc_to_bf16(x));
}

// Rounded to odd, a double keeps in a float all that a second rounding to a narrower kind needs to know.
float imgc_odd_f64(double x)
{
    float y = (float)x;
    uint bits = as_uint(y);
    if (isnan(x) || (double)y == x || (bits & 1) != 0)
        return y;
    return as_float(fabs(x) > fabs((double)y) ? bits + 1 : bits - 1);
}

float imgc_f16_f64(double x)
{
    return imgc_f16(imgc_odd_f64(x));
}

float imgc_bf16_f64(double x)
{
    return imgc_bf16(imgc_odd_f64(x));
}

// Of the bits below the upper 24 the rounding needs to know only whether one is set.
float imgc_bf16_u64(ulong x)
{
    if (x >> 24 == 0)
        return imgc_bf16((float)x);
    int shift = 40 - (int)clz(x);
    uint kept = (uint)(x >> shift) | (x << (64 - shift) != 0);
    return imgc_bf16(ldexp((float)kept, shift));
}

float imgc_bf16_i64(long x)
{
    return x < 0 ? -imgc_bf16_u64(0uL - (ulong)x) : imgc_bf16_u64((ulong)x);
}

// The product of two f16 is exact in float. Its sum with c is rounded to odd before it is rounded to f16.
float imgc_fma_f16(float a, float b, float c)
{
    float p = a * b;
    float s = p + c;
    float d = s - p;
    float lost = (p - (s - d)) + (c - d);
    uint bits = as_uint(s);
    if (lost != 0.0f && !isinf(s) && !isnan(s) && (bits & 1) == 0)
        s = as_float((lost > 0.0f) == (s > 0.0f) ? bits + 1 : bits - 1);
    return imgc_f16(s);
}

// Products of bf16 may leave the range of float but not that of double, in which they are exact.
float imgc_fma_bf16(float a, float b, float c)
{
    double p = (double)a * (double)b;
    double s = p + (double)c;
    double d = s - p;
    double lost = (p - (s - d)) + ((double)c - d);
    ulong bits = as_ulong(s);
    if (lost != 0.0 && !isinf(s) && !isnan(s) && (bits & 1) == 0)
        s = as_double((lost > 0.0) == (s > 0.0) ? bits + 1 : bits - 1);
    return imgc_bf16_f64(s);
}

float imgc_mix_f16(float a, float b, float t)
{
    return imgc_f16(a + imgc_f16(imgc_f16(b - a) * t));
}

float imgc_mix_bf16(float a, float b, float t)
{
    return imgc_bf16(a + imgc_bf16(imgc_bf16(b - a) * t));
}

float imgc_smoothstep_f16(float a, float b, float x)
{
    float t = fmin(fmax(imgc_f16(imgc_f16(x - a) / imgc_f16(b - a)), 0.0f), 1.0f);
    return imgc_f16(imgc_f16(t * t) * imgc_f16(3.0f - imgc_f16(2.0f * t)));
}

float imgc_smoothstep_bf16(float a, float b, float x)
{
    float t = fmin(fmax(imgc_bf16(imgc_bf16(x - a) / imgc_bf16(b - a)), 0.0f), 1.0f);
    return imgc_bf16(imgc_bf16(t * t) * imgc_bf16(3.0f - imgc_bf16(2.0f * t)));
}
