#include "kernels.h"

#include <cstring>

namespace lantang {
namespace {

struct Choice {
  const Kernels* kernels;
  bool runsHere;
};

}  // namespace

const Kernels* findKernels(const char* name) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool hasAvx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool hasAvx512 = hasAvx2 && __builtin_cpu_supports("avx512f");
  const Choice fastestFirst[] = {{&kAvx512Kernels, hasAvx512}, {&kAvx2Kernels, hasAvx2}, {&kBaselineKernels, true}};
#else
  const Choice fastestFirst[] = {{&kBaselineKernels, true}};
#endif
  for (const auto& [kernels, runsHere] : fastestFirst) {
    const bool isWanted = *name == '\0' || std::strcmp(name, kernels->name) == 0;
    if (runsHere && isWanted) return kernels;
  }
  return nullptr;
}

}  // namespace lantang
