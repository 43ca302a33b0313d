// Functions of floats that OpenCL lacks or defines otherwise.

// The sign of zero is that zero, and that of NaN is 0.
float imgc_sign_f32(float x)
{
    return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : isnan(x) ? 0.0f : x;
}

double imgc_sign_f64(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : isnan(x) ? 0.0 : x;
}

float imgc_fract_f32(float x)
{
    return x - floor(x);
}

double imgc_fract_f64(double x)
{
    return x - floor(x);
}

// The remainder of a floored division has the sign of the divisor, also where it is zero.
float imgc_mod_f32(float x, float y)
{
    float r = fmod(x, y);
    return r == 0.0f ? copysign(r, y) : (r < 0.0f) != (y < 0.0f) ? r + y : r;
}

double imgc_mod_f64(double x, double y)
{
    double r = fmod(x, y);
    return r == 0.0 ? copysign(r, y) : (r < 0.0) != (y < 0.0) ? r + y : r;
}

// A quotient by what has a reciprocal that is a normal number, if it is finite. NVIDIA's compiler scales what might have none.
float imgc_ratio_f32(float x, float y)
{
#if IMGC_COMPUTE_CAPABILITY >= 20
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(y));
    return x * r;
#else
    return x / y;
#endif
}

// The remainder of a floored division whose quotient is small, by a constant as it may stand here (kir.ShortDivisor): what is added and taken away rounds the quotient to an integer,
// the nearest one, and where the remainder comes out below zero, it was the one above. Devices that may have no fused multiply-add keep to fmod.
float imgc_short_mod_f32(float x, float y)
{
#if IMGC_COMPUTE_CAPABILITY >= 20
    const float minus_q = 12582912.0f - fma(x, 1.0f / y, 12582912.0f);
    const float r = fma(minus_q, y, x);
    return r < 0.0f ? r + y : r;
#else
    return imgc_mod_f32(x, y);
#endif
}

float imgc_short_rem_f32(float x, float y)
{
#if IMGC_COMPUTE_CAPABILITY >= 20
    return copysign(imgc_short_mod_f32(fabs(x), y), x);
#else
    return fmod(x, y);
#endif
}

float imgc_mix_f32(float a, float b, float t)
{
    return a + (b - a) * t;
}

double imgc_mix_f64(double a, double b, double t)
{
    return a + (b - a) * t;
}

// The greater of two floats of which one is 0 and the other one is no NaN: NVIDIA's assembler would make one instruction of it and of a minimum with 1, which gives 0 for NaN.

float imgc_short_max_f32(float x, float y)
{
    return as_float(max(as_int(x), as_int(y)));
}

float imgc_smoothstep_f32(float a, float b, float x)
{
    float t = fmin(fmax((x - a) / (b - a), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

double imgc_smoothstep_f64(double a, double b, double x)
{
    double t = fmin(fmax((x - a) / (b - a), 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}
