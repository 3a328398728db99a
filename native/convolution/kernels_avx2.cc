#define LANTANG_VECTOR 8
#define LANTANG_KERNELS kAvx2Kernels
#define LANTANG_KERNELS_NAME "avx2"
#include "kernels_of_width.h"
