// Functions of fast mode. What is below the smallest normal number may be 0 there, but NVIDIA's compiler scales what it gives to the
// instruction all the same, which takes a comparison and two products each.

float imgc_native_exp2_f32(float x)
{
#if IMGC_COMPUTE_CAPABILITY >= 20
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return native_exp2(x);
#endif
}

float imgc_native_log2_f32(float x)
{
#if IMGC_COMPUTE_CAPABILITY >= 20
    float y;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return native_log2(x);
#endif
}

float imgc_native_exp_f32(float x)
{
#if IMGC_COMPUTE_CAPABILITY >= 20
    return imgc_native_exp2_f32(x * M_LOG2E_F);
#else
    return native_exp(x);
#endif
}

float imgc_native_log_f32(float x)
{
#if IMGC_COMPUTE_CAPABILITY >= 20
    return imgc_native_log2_f32(x) * M_LN2_F;
#else
    return native_log(x);
#endif
}

float imgc_native_log10_f32(float x)
{
#if IMGC_COMPUTE_CAPABILITY >= 20
    return imgc_native_log2_f32(x) * (M_LN2_F * M_LOG10E_F);
#else
    return native_log10(x);
#endif
}
