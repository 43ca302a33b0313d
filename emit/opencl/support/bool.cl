// Vectors of bools have byte lanes that are 0 or 1; memory may hold any byte, and all but 0 are true.

uchar2 imgc_from_boolx2(uchar2 x)
{
    return min(x, (uchar2)(1));
}

uchar3 imgc_from_boolx3(uchar3 x)
{
    return min(x, (uchar3)(1));
}

uchar4 imgc_from_boolx4(uchar4 x)
{
    return min(x, (uchar4)(1));
}

// A flag that many work-items set: on NVIDIA's devices who sees that it is set leaves it alone, since stores to one place come one after the other.
void imgc_once(__global uchar *at, uchar value)
{
#if IMGC_COMPUTE_CAPABILITY >= 20
    if (*at == value) {
        return;
    }
#endif
    *at = value;
}
