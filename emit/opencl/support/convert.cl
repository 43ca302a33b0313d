// Floats to integers: what is out of range gives the nearest value. NaN gives 0, which OpenCL recommends, but of these conversions
// some devices make another value.

char imgc_trunc_i8_f32(float x)
{
    return isnan(x) ? 0 : convert_char_sat_rtz(x);
}

char imgc_nearest_i8_f32(float x)
{
    return isnan(x) ? 0 : convert_char_sat_rte(x);
}

short imgc_trunc_i16_f32(float x)
{
    return isnan(x) ? 0 : convert_short_sat_rtz(x);
}

short imgc_nearest_i16_f32(float x)
{
    return isnan(x) ? 0 : convert_short_sat_rte(x);
}

int imgc_trunc_i32_f32(float x)
{
    return isnan(x) ? 0 : convert_int_sat_rtz(x);
}

int imgc_nearest_i32_f32(float x)
{
    return isnan(x) ? 0 : convert_int_sat_rte(x);
}

long imgc_trunc_i64_f32(float x)
{
    return isnan(x) ? 0 : convert_long_sat_rtz(x);
}

long imgc_nearest_i64_f32(float x)
{
    return isnan(x) ? 0 : convert_long_sat_rte(x);
}

ulong imgc_trunc_u64_f32(float x)
{
    return isnan(x) ? 0 : convert_ulong_sat_rtz(x);
}

ulong imgc_nearest_u64_f32(float x)
{
    return isnan(x) ? 0 : convert_ulong_sat_rte(x);
}

char imgc_trunc_i8_f64(double x)
{
    return isnan(x) ? 0 : convert_char_sat_rtz(x);
}

char imgc_nearest_i8_f64(double x)
{
    return isnan(x) ? 0 : convert_char_sat_rte(x);
}

short imgc_trunc_i16_f64(double x)
{
    return isnan(x) ? 0 : convert_short_sat_rtz(x);
}

short imgc_nearest_i16_f64(double x)
{
    return isnan(x) ? 0 : convert_short_sat_rte(x);
}

int imgc_trunc_i32_f64(double x)
{
    return isnan(x) ? 0 : convert_int_sat_rtz(x);
}

int imgc_nearest_i32_f64(double x)
{
    return isnan(x) ? 0 : convert_int_sat_rte(x);
}

long imgc_trunc_i64_f64(double x)
{
    return isnan(x) ? 0 : convert_long_sat_rtz(x);
}

long imgc_nearest_i64_f64(double x)
{
    return isnan(x) ? 0 : convert_long_sat_rte(x);
}

uchar imgc_trunc_u8_f64(double x)
{
    return isnan(x) ? 0 : convert_uchar_sat_rtz(x);
}

uchar imgc_nearest_u8_f64(double x)
{
    return isnan(x) ? 0 : convert_uchar_sat_rte(x);
}

ushort imgc_trunc_u16_f64(double x)
{
    return isnan(x) ? 0 : convert_ushort_sat_rtz(x);
}

ushort imgc_nearest_u16_f64(double x)
{
    return isnan(x) ? 0 : convert_ushort_sat_rte(x);
}

uint imgc_trunc_u32_f64(double x)
{
    return isnan(x) ? 0 : convert_uint_sat_rtz(x);
}

uint imgc_nearest_u32_f64(double x)
{
    return isnan(x) ? 0 : convert_uint_sat_rte(x);
}

ulong imgc_trunc_u64_f64(double x)
{
    return isnan(x) ? 0 : convert_ulong_sat_rtz(x);
}

ulong imgc_nearest_u64_f64(double x)
{
    return isnan(x) ? 0 : convert_ulong_sat_rte(x);
}
