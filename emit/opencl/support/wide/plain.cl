// Functions of $ floats side by side that OpenCL lacks or defines otherwise.

float$ imgc_sign_f32x$(float$ x)
{
    return x > 0.0f ? (float$)(1.0f) : x < 0.0f ? (float$)(-1.0f) : x == 0.0f ? x : (float$)(0.0f);
}

float$ imgc_fract_f32x$(float$ x)
{
    return x - imgc_floor_f32x$(x);
}

float$ imgc_mix_f32x$(float$ a, float$ b, float$ t)
{
    return a + (b - a) * t;
}

float$ imgc_smoothstep_f32x$(float$ a, float$ b, float$ x)
{
    const float$ t = fmin(fmax((x - a) / (b - a), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}
