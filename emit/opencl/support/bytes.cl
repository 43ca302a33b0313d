// Bytes in words, the first one lowest.

uint imgc_four_bytes(const uint *words, int at)
{
    const int shift = 8 * (at % 4);
    return shift == 0 ? words[at / 4] : words[at / 4] >> shift | words[at / 4 + 1] << (32 - shift);
}

// The products of bytes, those of the weights signed. NVIDIA's devices have an instruction for it since compute capability 6.1.
int imgc_dot4(uint bytes, uint weights, int acc)
{
#ifdef cl_nv_pragma_unroll
    int sum;
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(bytes), "r"(weights), "r"(acc));
    return sum;
#else
    return (int)((uint)acc + (uint)((int)(bytes & 0xff) * (char)weights + (int)(bytes >> 8 & 0xff) * (char)(weights >> 8)
        + (int)(bytes >> 16 & 0xff) * (char)(weights >> 16) + (int)(bytes >> 24) * (char)(weights >> 24)));
#endif
}
