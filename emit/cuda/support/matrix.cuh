// Sums of products of bytes by matrix units: kir.MatrixSum says where the operands are.

// One product of a subgroup, 16 rows of 32 bytes times 32 bytes of 8 columns, with operands and results in registers as PTX lays them out
// for mma.m16n8k32. Devices whose matrix units have 8 rows and 16 bytes take four products for one.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
static __device__ __forceinline__ void imgc_matrix_product(int c[4], const uint32_t a[4], const uint32_t b0, const uint32_t b1, const bool is_unsigned)
{
#if __CUDA_ARCH__ >= 800
    if (is_unsigned)
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    else
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
#pragma unroll
    for (int i = 0; i < 4; i++)
        if (is_unsigned)
            asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                : "+r"(c[i % 2 * 2]), "+r"(c[i % 2 * 2 + 1]) : "r"(a[i]), "r"(i < 2 ? b0 : b1));
        else
            asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                : "+r"(c[i % 2 * 2]), "+r"(c[i % 2 * 2 + 1]) : "r"(a[i]), "r"(i < 2 ? b0 : b1));
#endif
}
#endif

// Neighbouring windows share half of their bytes, which are loaded once.
static __device__ __forceinline__ void imgc_matrix_sum(int (*sums)[2][4], const int windows, const uint32_t *bytes, const int pitch,
    const uint32_t *weights, const int rows, const int steps, const bool is_unsigned, const int lane)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
#pragma unroll 3
    for (int r = 0; r < rows; r++)
#pragma unroll
        for (int s = 0; s < steps; s++) {
            const uint4 b = *(const uint4 *)(weights + 128 * (r * steps + s) + 4 * lane);
            const uint32_t *const row = bytes + (r + lane / 4) * pitch + 8 * s + lane % 4;
            uint32_t upper = row[0], lower = row[8 * pitch];
#pragma unroll
            for (int n = 0; n < windows; n++) {
                const uint32_t a[4] = {upper, lower, row[4 * n + 4], row[8 * pitch + 4 * n + 4]};
                upper = a[2], lower = a[3];
                imgc_matrix_product(sums[n][0], a, b.x, b.y, is_unsigned);
                imgc_matrix_product(sums[n][1], a, b.z, b.w, is_unsigned);
            }
        }
#else
    for (int n = 0; n < windows * steps * rows * 32; n++) {
        const int k = n % 32, window = n / 32 % windows, s = n / 32 / windows % steps, r = n / 32 / windows / steps;
        for (int i = 0; i < 8; i++) { // which product, row and column
            const uint32_t column = weights[128 * (r * steps + s) + 4 * (8 * (lane % 4) + 4 * (i % 2) + k % 16 / 4) + i / 4 * 2 + k / 16] >> 8 * (k % 4);
            const uint32_t row = bytes[(r + lane / 4 + 8 * (i / 2 % 2)) * pitch + 8 * s + 4 * window + k / 4] >> 8 * (k % 4) & 0xff;
            sums[window][i / 4][i % 4] += (int)row * (is_unsigned ? (int)(column & 0xff) : (int)(int8_t)(column & 0xff));
        }
    }
#endif
}
