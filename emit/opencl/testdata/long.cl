// Made by imgc test.
// source: long.img, sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
// floating point: contract

#pragma OPENCL FP_CONTRACT ON

__constant int lookup[2][40] = {
    {
        0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256, 289, 324, 361, 400, 441, 484,
        529, 576, 625, 676, 729, 784, 841, 900, 961, 1024, 1089, 1156, 1225, 1296, 1369, 1444, 1521
    },
    {
        1600, 1681, 1764, 1849, 1936, 2025, 2116, 2209, 2304, 2401, 2500, 2601, 2704, 2809, 2916, 3025, 3136,
        3249, 3364, 3481, 3600, 3721, 3844, 3969, 4096, 4225, 4356, 4489, 4624, 4761, 4900, 5041, 5184, 5329,
        5476, 5625, 5776, 5929, 6084, 6241
    }
};

__constant float ramp[30] = {
    0.0f, 0.14285715f, 0.2857143f, 0.42857143f, 0.5714286f, 0.71428573f, 0.85714287f, 1.0f, 1.1428572f,
    1.2857143f, 1.4285715f, 1.5714285f, 1.7142857f, 1.8571428f, 2.0f, 2.142857f, 2.2857144f, 2.4285715f,
    2.5714285f, 2.7142856f, 2.857143f, 3.0f, 3.142857f, 3.2857144f, 3.4285715f, 3.5714285f, 3.7142856f,
    3.857143f, 4.0f, 4.142857f
};

__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void long_destination(__global const float *restrict source_image,
    __global float *restrict destination)
{
    const int position = (int)get_global_id(0);
    destination[position] =
        source_image[position + 0] * fma(source_image[position + 0], ramp[0], (float)lookup[0][0])
        + source_image[position + 1] * fma(source_image[position + 1], ramp[1], (float)lookup[0][1])
        + source_image[position + 2] * fma(source_image[position + 2], ramp[2], (float)lookup[0][2])
        + source_image[position + 3] * fma(source_image[position + 3], ramp[3], (float)lookup[0][3])
        + source_image[position + 4] * fma(source_image[position + 4], ramp[4], (float)lookup[0][4])
        + source_image[position + 5] * fma(source_image[position + 5], ramp[5], (float)lookup[0][5])
        + source_image[position + 6] * fma(source_image[position + 6], ramp[6], (float)lookup[0][6]);
}
