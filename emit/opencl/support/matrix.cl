// Sums of products of bytes as matrix units compute them, which this language has not: kir.MatrixSum says where the operands are.

void imgc_matrix_sum(int (*sums)[2][4], const int windows, const int down, const int across, __local const uint *bytes, const int pitch,
    __local const uint *weights, const int rows, const int steps, const bool is_unsigned, const int lane)
{
    for (int n = 0; n < down * windows * steps * rows * 32; n++) {
        const int k = n % 32, window = n / 32 % windows, s = n / 32 / windows % steps, r = n / 32 / windows / steps % rows, d = n / 32 / windows / steps / rows;
        for (int i = 0; i < 8; i++) { // which product, row and column
            const uint column = weights[128 * (r * steps + s) + 4 * (8 * (lane % 4) + 4 * (i % 2) + k % 16 / 4) + i / 4 * 2 + k / 16] >> 8 * (k % 4);
            const int y = r + down * (lane / 4 / across + 8 / across * (i / 2 % 2)) + d, x = 4 * (window + lane / 4 % across) + 8 * s + k / 4;
            const uint row = bytes[y * pitch + x] >> 8 * (k % 4) & 0xff;
            sums[d * windows + window][i / 4][i % 4] += (int)row * (is_unsigned ? (int)(column & 0xff) : (int)(char)(column & 0xff));
        }
    }
}
