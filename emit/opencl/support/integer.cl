// Integer operators where C leaves results open: x / 0 and x % 0 are 0, MIN / -1 wraps to MIN and MIN % -1 is 0; mod and
// floordiv round the quotient down. Those of 32 bits divide by 1 in place of what cannot be divided by: without a branch around them, compilers find the reciprocal of
// a divisor once that several divisions have in common.

int imgc_div_i32(int a, int b)
{
    const int quotient = a / (b == 0 || b == -1 ? 1 : b);
    return b == 0 ? 0 : b == -1 ? (int)(0u - (uint)a) : quotient;
}

long imgc_div_i64(long a, long b)
{
    return b == 0 ? 0 : b == -1 ? (long)(0uL - (ulong)a) : a / b;
}

uint imgc_div_u32(uint a, uint b)
{
    const uint quotient = a / (b == 0 ? 1 : b);
    return b == 0 ? 0 : quotient;
}

ulong imgc_div_u64(ulong a, ulong b)
{
    return b == 0 ? 0 : a / b;
}

int imgc_rem_i32(int a, int b)
{
    return a % (b == 0 || b == -1 ? 1 : b);
}

long imgc_rem_i64(long a, long b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}

uint imgc_rem_u32(uint a, uint b)
{
    return a % (b == 0 ? 1 : b);
}

ulong imgc_rem_u64(ulong a, ulong b)
{
    return b == 0 ? 0 : a % b;
}

int imgc_mod_i32(int a, int b)
{
    int r = imgc_rem_i32(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

long imgc_mod_i64(long a, long b)
{
    long r = imgc_rem_i64(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

int imgc_floordiv_i32(int a, int b)
{
    int r = imgc_rem_i32(a, b);
    return imgc_div_i32(a, b) - (r != 0 && (r < 0) != (b < 0));
}

// The reciprocal of a divisor, to 2.5 units of the last place; 0 of 0.
float imgc_part(int b)
{
#if defined(__NV_CL_C_VERSION)
    const float part = native_recip((float)b);
#else
    const float part = 1.0f / (float)b;
#endif
    return b == 0 ? 0.0f : part;
}

// Of dividends up to 2^20 and divisors up to 2^22. Half of what a dividend is counted in keeps the product away from the whole number that it is not to reach.
int imgc_div_short_i32(int a, int b)
{
    return (int)(((float)a + copysign(0.5f, (float)a)) * imgc_part(b));
}

int imgc_rem_short_i32(int a, int b)
{
    return b == 0 ? 0 : a - b * imgc_div_short_i32(a, b);
}

int imgc_floordiv_short_i32(int a, int b)
{
    return (int)floor(((float)a + copysign(0.5f, (float)b)) * imgc_part(b));
}

int imgc_mod_short_i32(int a, int b)
{
    return b == 0 ? 0 : a - b * imgc_floordiv_short_i32(a, b);
}

long imgc_floordiv_i64(long a, long b)
{
    long r = imgc_rem_i64(a, b);
    return imgc_div_i64(a, b) - (r != 0 && (r < 0) != (b < 0));
}

// The smallest value wraps to itself. Of a number and its negative, both taken for unsigned, the absolute value is the smaller one.
// Compilers see an absolute value in other forms, OpenCL's abs and a choice by the sign among them, and compile on as if it could not be negative: PoCL
// loses a test for negative values behind abs, and NVIDIA's compiler computes a remainder of it as if it were positive.
int imgc_abs_i32(int a)
{
    return (int)min((uint)a, 0u - (uint)a);
}

long imgc_abs_i64(long a)
{
    return (long)min((ulong)a, 0uL - (ulong)a);
}

// How far two numbers are apart whose difference does not wrap.
int imgc_abs_diff(int a, int b)
{
    return (int)abs_diff(a, b);
}

int imgc_sign_i32(int a)
{
    return (a > 0) - (a < 0);
}

long imgc_sign_i64(long a)
{
    return (a > 0) - (a < 0);
}

uint imgc_sign_u32(uint a)
{
    return a != 0;
}

ulong imgc_sign_u64(ulong a)
{
    return a != 0;
}

// The lower 16 bits. ptxas 12.4, and that of NVIDIA's OpenCL, extend the negative of 16 bits before they negate, so that the negative of
// -32768 is 32768 to comparisons and conversions behind it. They get the negative of 32 bits right; the empty instruction keeps compilers from
// seeing that 16 would do.
short imgc_cut_i16(int a)
{
#if IMGC_COMPUTE_CAPABILITY >= 20
    asm("" : "+r"(a));
#endif
    return (short)a;
}

// Where a line starts: its number times the distance of lines, neither of them negative. One instruction makes a product of 64 bits of two of 32.
long imgc_line(long number, long pitch)
{
    return (long)((ulong)(uint)number * (uint)pitch);
}
