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
