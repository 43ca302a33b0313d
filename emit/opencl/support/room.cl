// How much local memory a unit of NVIDIA's devices has, in bytes: the CUDA C++ Programming Guide's table of technical specifications. 0 of those that it is not
// known of.
#if IMGC_COMPUTE_CAPABILITY == 75
#define imgc_unit_local() (64 << 10)
#elif IMGC_COMPUTE_CAPABILITY == 80 || IMGC_COMPUTE_CAPABILITY == 87
#define imgc_unit_local() (164 << 10)
#elif IMGC_COMPUTE_CAPABILITY == 86 || IMGC_COMPUTE_CAPABILITY == 89 || IMGC_COMPUTE_CAPABILITY >= 120
#define imgc_unit_local() (100 << 10)
#elif IMGC_COMPUTE_CAPABILITY == 90 || IMGC_COMPUTE_CAPABILITY == 100 || IMGC_COMPUTE_CAPABILITY == 103
#define imgc_unit_local() (228 << 10)
#else
#define imgc_unit_local() 0
#endif

// Has a group take its part of that, up to 48 KiB with one KiB for the system, where so many groups share it and have no use for it. NVIDIA's compiler gives an
// item the registers that it may have with as many groups as local memory has room for, and loads ahead with them.
#if imgc_unit_local() > 0
#define imgc_room(groups) \
    __local volatile uint IMGC_filling[imgc_unit_local() / (groups) < (49 << 10) ? imgc_unit_local() / (groups) / 4 - 256 : 12 << 10]; \
    IMGC_filling[0] = 0
#else
#define imgc_room(groups) (void)0
#endif
