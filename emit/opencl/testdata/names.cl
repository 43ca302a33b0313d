// Made by imgc test.
// source: names.img, sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
// floating point: contract

#pragma OPENCL FP_CONTRACT ON

int imgc_div_i32(int a, int b)
{
    const int quotient = a / (b == 0 || b == -1 ? 1 : b);
    return b == 0 ? 0 : b == -1 ? (int)(0u - (uint)a) : quotient;
}

int imgc_rem_i32(int a, int b)
{
    return a % (b == 0 || b == -1 ? 1 : b);
}

__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void main_(__global const int *restrict kernel_, __global int *restrict global_)
{
    const int float4_ = (int)get_global_id(0);
    const int v_a = (int)((uint)float4_ + 1u);
    const int a = kernel_[v_a];
    const int a_2 = (int)((uint)a + 1u);
    int imgc_div_i32_ = a_2;
    if (a_2 > 7) {
        const int a_3 = imgc_div_i32(a_2, a);
        imgc_div_i32_ = a_3;
    } else {
        const int inner = imgc_rem_i32(a_2, a);
        imgc_div_i32_ = inner;
    }
    global_[float4_] = imgc_div_i32_;
}

__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void main_2(void)
{
}
