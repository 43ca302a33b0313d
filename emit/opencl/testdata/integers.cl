// Made by imgc test.
// source: integers.img, sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
// floating point: contract

#pragma OPENCL FP_CONTRACT ON

int imgc_rem_i32(int a, int b)
{
    return a % (b == 0 || b == -1 ? 1 : b);
}

int imgc_mod_i32(int a, int b)
{
    int r = imgc_rem_i32(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

int imgc_div_i32(int a, int b)
{
    const int quotient = a / (b == 0 || b == -1 ? 1 : b);
    return b == 0 ? 0 : b == -1 ? (int)(0u - (uint)a) : quotient;
}

int imgc_floordiv_i32(int a, int b)
{
    int r = imgc_rem_i32(a, b);
    return imgc_div_i32(a, b) - (r != 0 && (r < 0) != (b < 0));
}

// The smallest value wraps to itself. Of a number and its negative, both taken for unsigned, the absolute value is the smaller one.
// Compilers see an absolute value in other forms, OpenCL's abs and a choice by the sign among them, and compile on as if it could not be negative: PoCL
// loses a test for negative values behind abs, and NVIDIA's compiler computes a remainder of it as if it were positive.
int imgc_abs_i32(int a)
{
    return (int)min((uint)a, 0u - (uint)a);
}

__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void integers_dst(__global const int *restrict src, __global int *restrict dst,
    __global long *restrict sums, __global const uint *restrict bits)
{
    const int x = (int)get_global_id(0);
    const int a = src[x];
    const int b = src[x + 1];
    const uint d = bits[x];
    dst[x] = (int)((uint)a * (uint)b - (uint)a + (uint)(-2147483647 - 1));
    dst[x] = (int)(-(uint)a << (b & 31));
    dst[x] = a >> (b & 3 & 31);
    dst[x] = (a & 255) | (b << 8);
    dst[x] = imgc_abs_i32(imgc_mod_i32(a, imgc_floordiv_i32(b, 3)));
    dst[x] = (int)(d + (uint)(int)popcount(d));
    sums[x] = (long)((ulong)a * (ulong)b + 1099511627776uL);
    sums[x] = a - b * 3L;
    sums[x] = LONG_MIN;
    dst[x] = (a < b && b >= 0) || (a < 1) == (b < 1) ? min(a, b) : a != b ? a : b;
}
