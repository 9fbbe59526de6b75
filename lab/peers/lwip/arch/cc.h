/* What lwIP asks of its port: the C library has the rest. */

#include <stdlib.h>

#define LWIP_RAND() ((u32_t)rand())
