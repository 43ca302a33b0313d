// Made by imgc test.
// source: halves.img, sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
// floating point: strict

#pragma OPENCL FP_CONTRACT OFF

uchar3 imgc_from_boolx3(uchar3 x)
{
    return min(x, (uchar3)(1));
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

ushort3 imgc_to_bf16x3(float3 x)
{
    return (ushort3)(imgc_to_bf16(x.x), imgc_to_bf16(x.y), imgc_to_bf16(x.z));
}

float imgc_from_bf16(ushort bits)
{
    return as_float((uint)bits << 16);
}

float3 imgc_from_bf16x3(ushort3 bits)
{
    return as_float3(convert_uint3(bits) << 16);
}

float imgc_bf16(float x)
{
    return imgc_from_bf16(imgc_to_bf16(x));
}

__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void halves_h(__global half *restrict h, __global ushort *restrict b, __global uchar *restrict flags,
    ushort gain_arg, uchar on_arg, ushort3 tint_arg)
{
    const float gain = imgc_from_f16(gain_arg);
    const bool on = on_arg != 0;
    const float3 tint = imgc_from_bf16x3(tint_arg);
    const int i = (int)get_global_id(0);
    const float x = imgc_f16(imgc_f16(vload_half(i, h) * gain) + 0.099975586f);
    vstore_half(x, i, h);
    const float y = imgc_bf16(sqrt(imgc_from_bf16(b[i])));
    b[i] = imgc_to_bf16(fmax(y, imgc_bf16(x)));
    flags[i] = flags[i] != 0 && on;
    const float3 p = vload_half3(0, h + i * 3L);
    vstore_half3((float3)(p.z, p.y, p.x), 0, h + i * 3L);
    const float3 p_2 = imgc_from_bf16x3(vload3(0, b + i * 3L));
    vstore3(imgc_to_bf16x3((float3)(p_2.z, p_2.y, p_2.x)), 0, b + i * 3L);
    const uchar3 p_3 = imgc_from_boolx3(vload3(0, flags + i * 3L));
    vstore3((uchar3)(p_3.z, p_3.y, p_3.x), 0, flags + i * 3L);
    b[i] = imgc_to_bf16(tint.y);
}
