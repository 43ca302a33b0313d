// Made by imgc test.
// source: box.img, sha256 7ceda3536f23a2388d8036dc3aa5cee9cd869d37c07e16dc5a20794f165bbf9f
// floating point: contract

#pragma OPENCL FP_CONTRACT ON

__attribute__((reqd_work_group_size(128, 1, 1)))
__kernel void box_dst(__global const uchar *restrict src, long src_offset, long src_pitch,
    __global uchar *restrict dst, long dst_pitch, int W, int H)
{
    // box.img:2
    const int y = (int)get_global_id(1);
    const int x = (int)get_global_id(0);
    if (x >= W) {
        return;
    }
    // box.img:3
    int sum = 0;
    const int y_p = min(max(y - 1, 0), H - 1);
    const long src_y = src_offset + y_p * src_pitch;
    const int x_p = min(max(x - 1, 0), W - 1);
    sum += src[src_y + x_p];
    const int x_p_2 = min(max(x + 0, 0), W - 1);
    sum += src[src_y + x_p_2];
    const int x_p_3 = min(max(x + 1, 0), W - 1);
    sum += src[src_y + x_p_3];
    const int y_p_2 = min(max(y + 0, 0), H - 1);
    const long src_y_2 = src_offset + y_p_2 * src_pitch;
    const int x_p_4 = min(max(x - 1, 0), W - 1);
    sum += src[src_y_2 + x_p_4];
    const int x_p_5 = min(max(x + 0, 0), W - 1);
    sum += src[src_y_2 + x_p_5];
    const int x_p_6 = min(max(x + 1, 0), W - 1);
    sum += src[src_y_2 + x_p_6];
    const int y_p_3 = min(max(y + 1, 0), H - 1);
    const long src_y_3 = src_offset + y_p_3 * src_pitch;
    const int x_p_7 = min(max(x - 1, 0), W - 1);
    sum += src[src_y_3 + x_p_7];
    const int x_p_8 = min(max(x + 0, 0), W - 1);
    sum += src[src_y_3 + x_p_8];
    const int x_p_9 = min(max(x + 1, 0), W - 1);
    sum += src[src_y_3 + x_p_9];
    dst[y * dst_pitch + x] = (uchar)((sum + 4) / 9);
}
