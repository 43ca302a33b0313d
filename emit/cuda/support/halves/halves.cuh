// Two $ in a word, each by itself: every operation rounds its results to nearest, ties to even, as one in f32 and its rounding do: f32 has more than
// twice the bits.

static __device__ __forceinline__ uint32_t imgc_neg_$x2(uint32_t x)
{
    return imgc_word_$(__hneg2(imgc_two_$(x)));
}

static __device__ __forceinline__ uint32_t imgc_abs_$x2(uint32_t x)
{
    return imgc_word_$(__habs2(imgc_two_$(x)));
}

// A product and a sum that compilers may fuse.
static __device__ __forceinline__ uint32_t imgc_mul_$x2(uint32_t x, uint32_t y)
{
    return imgc_word_$(__hmul2(imgc_two_$(x), imgc_two_$(y)));
}

static __device__ __forceinline__ uint32_t imgc_add_$x2(uint32_t x, uint32_t y)
{
    return imgc_word_$(__hadd2(imgc_two_$(x), imgc_two_$(y)));
}

static __device__ __forceinline__ uint32_t imgc_sub_$x2(uint32_t x, uint32_t y)
{
    return imgc_word_$(__hsub2(imgc_two_$(x), imgc_two_$(y)));
}

// Those that they may not.
static __device__ __forceinline__ uint32_t imgc_product_$x2(uint32_t x, uint32_t y)
{
    return imgc_word_$(__hmul2_rn(imgc_two_$(x), imgc_two_$(y)));
}

static __device__ __forceinline__ uint32_t imgc_sum_$x2(uint32_t x, uint32_t y)
{
    return imgc_word_$(__hadd2_rn(imgc_two_$(x), imgc_two_$(y)));
}

static __device__ __forceinline__ uint32_t imgc_difference_$x2(uint32_t x, uint32_t y)
{
    return imgc_word_$(__hsub2_rn(imgc_two_$(x), imgc_two_$(y)));
}

// NaN loses against a number.
static __device__ __forceinline__ uint32_t imgc_min_$x2(uint32_t x, uint32_t y)
{
    return imgc_word_$(__hmin2(imgc_two_$(x), imgc_two_$(y)));
}

static __device__ __forceinline__ uint32_t imgc_max_$x2(uint32_t x, uint32_t y)
{
    return imgc_word_$(__hmax2(imgc_two_$(x), imgc_two_$(y)));
}

// A half of ones where the comparison holds, which with NaN is that of what is not equal alone.
static __device__ __forceinline__ uint32_t imgc_eq_$x2(uint32_t x, uint32_t y)
{
    return __heq2_mask(imgc_two_$(x), imgc_two_$(y));
}

static __device__ __forceinline__ uint32_t imgc_ne_$x2(uint32_t x, uint32_t y)
{
    return __hneu2_mask(imgc_two_$(x), imgc_two_$(y));
}

static __device__ __forceinline__ uint32_t imgc_lt_$x2(uint32_t x, uint32_t y)
{
    return __hlt2_mask(imgc_two_$(x), imgc_two_$(y));
}

static __device__ __forceinline__ uint32_t imgc_le_$x2(uint32_t x, uint32_t y)
{
    return __hle2_mask(imgc_two_$(x), imgc_two_$(y));
}

static __device__ __forceinline__ uint32_t imgc_gt_$x2(uint32_t x, uint32_t y)
{
    return __hgt2_mask(imgc_two_$(x), imgc_two_$(y));
}

static __device__ __forceinline__ uint32_t imgc_ge_$x2(uint32_t x, uint32_t y)
{
    return __hge2_mask(imgc_two_$(x), imgc_two_$(y));
}
