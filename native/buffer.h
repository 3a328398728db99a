#pragma once

#include <onnxruntime_cxx_api.h>

#include <utility>

#include "tensor.h"

namespace lantang {

/** Memory of an allocator's that tensors are laid over, one at a time, and that is kept for the next one. */
class Buffer {
 public:
  /** The allocator must outlive the buffer. */
  explicit Buffer(OrtAllocator* allocator) : allocator_(allocator) {}
  Buffer(Buffer&& other) noexcept
      : allocator_(other.allocator_), data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Buffer& operator=(Buffer&&) = delete;
  ~Buffer() { release(); }

  /** A tensor over it. Where it is too small it moves: tensors over it from before must not be used any more. */
  Ort::Value tensor(const Shape& shape, ONNXTensorElementDataType type);
  /** Makes it so large, whatever it is used for later. Throws out_of_memory's exception. */
  void reserve(size_t bytes);
  void release();

 private:
  OrtAllocator* allocator_;
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace lantang
