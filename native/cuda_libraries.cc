#include "cuda_libraries.h"

#include <dirent.h>
#include <dlfcn.h>

#include <memory>
#include <mutex>
#include <vector>

namespace lantang {
namespace {

/** What the provider needs or opens by name, each after those that it needs itself. Others lie beside their users. */
constexpr const char* kInOrder[] = {"libcudart.so.", "libnvrtc.so.", "libcublasLt.so.", "libcublas.so.",
                                    "libcurand.so.", "libcufft.so.", "libcudnn.so."};

std::vector<std::string> filesIn(const std::string& folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), closedir);
  if (open == nullptr) return names;
  while (const dirent* entry = readdir(open.get())) names.emplace_back(entry->d_name);
  return names;
}

void openAll(const std::string& folder) {
  const std::vector<std::string> files = filesIn(folder);
  for (const std::string prefix : kInOrder) {
    for (const std::string& file : files) {
      // Never closed: the provider keeps using them for as long as the process lives.
      if (file.rfind(prefix, 0) == 0) dlopen((folder + "/" + file).c_str(), RTLD_LAZY | RTLD_GLOBAL);
    }
  }
}

}  // namespace

void openCudaLibrariesBeside(const std::string& runtimePath) {
  static std::once_flag once;
  const size_t slash = runtimePath.rfind('/');
  if (slash != std::string::npos) std::call_once(once, openAll, runtimePath.substr(0, slash));
}

}  // namespace lantang
