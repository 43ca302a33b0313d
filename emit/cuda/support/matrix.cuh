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

// Products of a row of bytes with those weights from first to last that the item's rows have there: one row of the mask is for the uppermost of them,
// the one before it for the next. Neighbouring windows share half of their bytes, which are loaded once; below is where the other half of the
// subgroup's rows lies.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
static __device__ __forceinline__ void imgc_matrix_row(int (*sums)[2][4], const int windows, const uint32_t *row, const int below, const uint4 b[4],
    const int first, const int last, const bool is_unsigned)
{
    uint32_t upper = row[0], lower = row[below];
#pragma unroll
    for (int n = 0; n < windows; n++) {
        const uint32_t a[4] = {upper, lower, row[4 * n + 4], row[below + 4 * n + 4]};
        upper = a[2], lower = a[3];
#pragma unroll
        for (int d = first; d <= last; d++) {
            imgc_matrix_product(sums[d * windows + n][0], a, b[d].x, b[d].y, is_unsigned);
            imgc_matrix_product(sums[d * windows + n][1], a, b[d].z, b[d].w, is_unsigned);
        }
    }
}
#endif

// The weights of the next row of a mask, behind those of the rows before it.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
static __device__ __forceinline__ void imgc_matrix_weights(uint4 b[4], const uint4 next)
{
    b[3] = b[2], b[2] = b[1], b[1] = b[0], b[0] = next;
}
#endif

// The first rows of bytes are for the upper ones of the item's rows alone, and the last ones for the lower ones.
static __device__ __forceinline__ void imgc_matrix_sum(int (*sums)[2][4], const int windows, const int down, const int across, const uint32_t *bytes,
    const int pitch, const uint32_t *weights, const int rows, const int steps, const bool is_unsigned, const int lane)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
    const int below = 8 / across * down * pitch;
#pragma unroll
    for (int s = 0; s < steps; s++) {
        const uint32_t *const column = bytes + lane / 4 / across * down * pitch + 4 * (lane / 4 % across) + 8 * s + lane % 4;
        const uint4 *const mask = (const uint4 *)weights + 32 * s + lane;
        uint4 b[4] = {};
#pragma unroll
        for (int r = 0; r < down - 1; r++) {
            imgc_matrix_weights(b, mask[r < rows ? 32 * steps * r : 0]);
            imgc_matrix_row(sums, windows, column + r * pitch, below, b, r < rows ? 0 : r - rows + 1, r, is_unsigned);
        }
#pragma unroll 4
        for (int r = down - 1; r < rows; r++) {
            imgc_matrix_weights(b, mask[32 * steps * r]);
            imgc_matrix_row(sums, windows, column + r * pitch, below, b, 0, down - 1, is_unsigned);
        }
#pragma unroll
        for (int r = rows < down ? down - 1 : rows; r < rows + down - 1; r++) {
            imgc_matrix_weights(b, mask[0]);
            imgc_matrix_row(sums, windows, column + r * pitch, below, b, r - rows + 1, down - 1, is_unsigned);
        }
    }
#else
    for (int n = 0; n < down * windows * steps * rows * 32; n++) {
        const int k = n % 32, window = n / 32 % windows, s = n / 32 / windows % steps, r = n / 32 / windows / steps % rows, d = n / 32 / windows / steps / rows;
        for (int i = 0; i < 8; i++) { // which product, row and column
            const uint32_t column = weights[128 * (r * steps + s) + 4 * (8 * (lane % 4) + 4 * (i % 2) + k % 16 / 4) + i / 4 * 2 + k / 16] >> 8 * (k % 4);
            const int y = r + down * (lane / 4 / across + 8 / across * (i / 2 % 2)) + d, x = 4 * (window + lane / 4 % across) + 8 * s + k / 4;
            const uint32_t row = bytes[y * pitch + x] >> 8 * (k % 4) & 0xff;
            sums[d * windows + window][i / 4][i % 4] += (int)row * (is_unsigned ? (int)(column & 0xff) : (int)(int8_t)(column & 0xff));
        }
    }
#endif
}
