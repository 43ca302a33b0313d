// Made by imgc test.
// source: arrays.img, sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
// floating point: contract

#pragma OPENCL FP_CONTRACT ON

__constant float weights[3][3] = {
    {0.0f, 0.0625f, 0.125f},
    {0.1875f, 0.25f, 0.3125f},
    {0.375f, 0.4375f, 0.5f}
};

void transposed(float m[3][3], float result[3][3])
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            result[i][j] = m[j][i];
        }
    }
}

float trace(float m[3][3])
{
    return m[0][0] + m[1][1] + m[2][2];
}

__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void arrays_dst(__global const float *restrict src, __global float *restrict dst, int count)
{
    float m[3][3];
    float n[3][3];
    const int x = (int)get_global_id(0);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            m[i][j] = weights[i][j] * src[(long)x + (i * 3 + j)];
        }
    }
    transposed(m, n);
    float sum = 0.0f;
    int last = count;
    const int k_end = last;
    for (int k = 0; k < k_end; ++k) {
        --last;
        sum += trace(n);
    }
    for (int k = count; k > 0; k -= 2) {
        if (sum > 100.0f) {
            break;
        } else if (sum < 0.0f) {
            continue;
        } else {
            sum += (float)k;
        }
    }
    for (long k_next = 0; k_next < count; k_next += 4) {
        const int k = (int)k_next;
        sum *= (float)k;
    }
    dst[x] = sum;
}
