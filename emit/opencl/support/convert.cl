// Floats to signed integers: what is out of range gives the nearest value, and NaN gives 0, which some devices forget.

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
