#define LANTANG_VECTOR 16
#define LANTANG_KERNELS kAvx512Kernels
#define LANTANG_KERNELS_NAME "avx512"
#include "kernels_of_width.h"
