// How much local memory a unit of NVIDIA's devices has, in bytes: the CUDA C++ Programming Guide's table of technical specifications.
#if IMGC_COMPUTE_CAPABILITY == 75
#define imgc_unit_local() (64 << 10)
#elif IMGC_COMPUTE_CAPABILITY == 86 || IMGC_COMPUTE_CAPABILITY == 89 || IMGC_COMPUTE_CAPABILITY >= 120
#define imgc_unit_local() (100 << 10)
#elif IMGC_COMPUTE_CAPABILITY == 80 || IMGC_COMPUTE_CAPABILITY == 87
#define imgc_unit_local() (164 << 10)
#elif IMGC_COMPUTE_CAPABILITY >= 90
#define imgc_unit_local() (228 << 10)
#else
#define imgc_unit_local() 0
#endif

// What so many groups leave each of them of that, up to 48 KiB, beside the bytes that it takes anyway and one KiB for the system.
#define imgc_left(groups, taken) \
    ((imgc_unit_local() / (groups) - 1024 < (48 << 10) ? imgc_unit_local() / (groups) - 1024 : 48 << 10) - (taken))

// Has a group take what is left. NVIDIA's compiler gives an item the registers that it may have with as many groups as local memory has room for, and
// loads ahead with them.
#if IMGC_COMPUTE_CAPABILITY >= 75
#define imgc_room(groups, taken) \
    __local volatile uint IMGC_filling[imgc_left(groups, taken) < 4 ? 1 : imgc_left(groups, taken) / 4]; \
    IMGC_filling[0] = 0
#else
#define imgc_room(groups, taken) (void)0
#endif
