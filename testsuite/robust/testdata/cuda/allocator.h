/* allocator.h: a library behind it allocates by calls that can be made to fail. */
#include "runtime.h"

#include <stdlib.h>

#define malloc runtime_malloc
#define calloc runtime_calloc
#define realloc runtime_realloc
#define free runtime_free
