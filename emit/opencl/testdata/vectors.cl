// Made by imgc test.
// source: vectors.img, sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
// floating point: fast

#pragma OPENCL FP_CONTRACT ON

// The end of a conversion to at most 32 bits: one instruction of NVIDIA's devices does all that the expression says, for which its drivers take
// up to ten.
#if IMGC_COMPUTE_CAPABILITY >= 20
#define imgc_convert(rounding, kind, x, expression) int y; asm("cvt." rounding ".sat." kind ".f32 %0, %1;" : "=r"(y) : "f"(x)); return y
#else
#define imgc_convert(rounding, kind, x, expression) return expression
#endif

int imgc_trunc_i32_f32(float x)
{
    imgc_convert("rzi", "s32", x, isnan(x) ? 0 : x >= 0x1p31f ? INT_MAX : x <= -0x1p31f ? INT_MIN : convert_int_rtz(x));
}

float imgc_mix_f32(float a, float b, float t)
{
    return a + (b - a) * t;
}

int imgc_div_i32(int a, int b)
{
    const int quotient = a / (b == 0 || b == -1 ? 1 : b);
    return b == 0 ? 0 : b == -1 ? (int)(0u - (uint)a) : quotient;
}

float4 imgc_mix_f32x4(float4 a, float4 b, float4 c)
{
    return (float4)(imgc_mix_f32(a.x, b.x, c.x), imgc_mix_f32(a.y, b.y, c.y), imgc_mix_f32(a.z, b.z, c.z),
        imgc_mix_f32(a.w, b.w, c.w));
}

int4 imgc_convert_f32x4_i32x4(float4 v)
{
    return (int4)(imgc_trunc_i32_f32(v.x), imgc_trunc_i32_f32(v.y), imgc_trunc_i32_f32(v.z),
        imgc_trunc_i32_f32(v.w));
}

int4 imgc_div_i32x4(int4 a, int4 b)
{
    return (int4)(imgc_div_i32(a.x, b.x), imgc_div_i32(a.y, b.y), imgc_div_i32(a.z, b.z),
        imgc_div_i32(a.w, b.w));
}

uchar4 imgc_convert_i32x4_boolx4(int4 v)
{
    return (uchar4)(v.x != 0, v.y != 0, v.z != 0, v.w != 0);
}

uchar4 imgc_sat_i32x4_u8x4(int4 v)
{
    return (uchar4)((uchar)min(max(v.x, 0), 255), (uchar)min(max(v.y, 0), 255), (uchar)min(max(v.z, 0), 255),
        (uchar)min(max(v.w, 0), 255));
}

__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void vectors_dst(__global const uchar *restrict src, __global uchar *restrict dst)
{
    const int x = (int)get_global_id(0);
    const long at = x * 4L;
    const uchar4 p = vload4(0, src + at);
    const float4 f = convert_float4(p);
    const float4 g = imgc_mix_f32x4(f, f * 0.5f, (float4)(f.x));
    const int4 n = as_int4(as_uint4(imgc_convert_f32x4_i32x4(g)) + as_uint4(convert_int4(p)));
    const int4 q = imgc_div_i32x4(n, (int4)(n.w));
    const uchar4 mask = (uchar4)(1, f.y < 2.0f, 0, imgc_convert_i32x4_boolx4(n).z);
    const int4 r = select(n, q, -convert_int4(mask));
    const int4 s = x > 3 ? r : q.wzyx;
    vstore4(imgc_sat_i32x4_u8x4(s), 0, dst + at);
}
