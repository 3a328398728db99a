#define LANTANG_VECTOR 4
#define LANTANG_KERNELS kBaselineKernels
#define LANTANG_KERNELS_NAME "baseline"
#include "kernels_of_width.h"
