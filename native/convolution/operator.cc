#include "operator.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "../errors.h"
#include "chain.h"

namespace lantang {
namespace {

constexpr char kDomain[] = "lantang";
constexpr char kOperator[] = "WindowedConvolutions";
constexpr size_t kIntsPerStep = 9;

/** A constant of floats: [channels out, channels in, 1, taps] or [channels out]. */
struct Constant {
  const float* values;
  std::vector<int64_t> shape;
};

Constant constantOf(const Ort::ConstKernelInfo& info, size_t input, size_t rank) {
  int isConstant = 0;
  if (input < 1 || input >= info.GetInputCount()) {
    throw Failure(Code::kModelInvalid, "A step names an input that the chain of convolutions does not have.");
  }
  const Ort::ConstValue value = info.GetTensorConstantInput(input, &isConstant);
  const auto shape = isConstant != 0 ? value.GetTensorTypeAndShapeInfo().GetShape() : std::vector<int64_t>{};
  if (shape.size() == rank) return {value.GetTensorData<float>(), shape};
  throw Failure(Code::kModelInvalid, "Weights of a chain of convolutions must be constants of " +
                                         std::to_string(rank) + " dimensions.");
}

FilterBank readBank(const Ort::ConstKernelInfo& info, const Kernels& kernels, size_t weightsInput, size_t biasInput) {
  const Constant weights = constantOf(info, weightsInput, 4);
  const auto outputs = static_cast<size_t>(weights.shape[0]);
  const auto taps = static_cast<size_t>(weights.shape[3]);
  const float* bias = nullptr;
  if (biasInput != 0) {
    const Constant biases = constantOf(info, biasInput, 1);
    if (static_cast<size_t>(biases.shape[0]) == outputs) bias = biases.values;
  }
  const bool fits = weights.shape[2] == 1 && outputs > 0 && taps > 0 && (bias != nullptr) == (biasInput != 0);
  if (!fits) throw Failure(Code::kModelInvalid, "Weights and biases of a chain of convolutions do not fit.");
  return FilterBank(kernels, weights.values, bias, outputs, static_cast<size_t>(weights.shape[1]), taps);
}

const Kernels& readKernels(const Ort::ConstKernelInfo& info) {
  std::string name;
  try {
    name = info.GetAttribute<std::string>("instructions");
  } catch (const Ort::Exception&) {
    // The attribute is optional, and there is no asking whether it is there.
  }
  const Kernels* kernels = findKernels(name.c_str());
  if (kernels == nullptr) throw Failure(Code::kModelInvalid, "This processor has no instructions \"" + name + "\".");
  return *kernels;
}

/** So that no sum or product of a few of them overflows. */
bool isCredible(int64_t number) { return number >= 0 && number <= 1 << 16; }

Chain readChain(const Ort::ConstKernelInfo& info) {
  const Kernels& kernels = readKernels(info);
  const auto numbers = info.GetAttributes<int64_t>("steps");
  const auto slopes = info.GetAttributes<float>("slopes");
  const bool areWhole = numbers.size() == slopes.size() * kIntsPerStep;
  const bool areCredible = std::all_of(numbers.begin(), numbers.end(), isCredible);
  if (!areWhole || !areCredible) {
    throw Failure(Code::kModelInvalid, "The steps of a chain of convolutions are no steps.");
  }
  std::vector<FilterBank> banks;
  std::vector<ChainStep> steps;
  for (size_t index = 0; index < slopes.size(); ++index) {
    const int64_t* step = numbers.data() + index * kIntsPerStep;
    const auto natural = [&](size_t field) { return static_cast<size_t>(step[field]); };
    banks.push_back(readBank(info, kernels, natural(0), natural(1)));
    steps.push_back({index, natural(2), step[3], step[4], step[5], step[6], slopes[index], {natural(7), natural(8)}});
  }
  return Chain(std::move(banks), std::move(steps));
}

class Kernel {
 public:
  explicit Kernel(const Ort::ConstKernelInfo& info)
      : chain_(readChain(info)), window_(info.GetAttribute<int64_t>("window")) {
    if (window_ > 0 && isCredible(window_)) return;
    throw Failure(Code::kModelInvalid,
                  "A window of a chain of convolutions must be 1 to 65536 positions long, but is " +
                      std::to_string(window_) + ".");
  }

  OrtStatusPtr ComputeV2(OrtKernelContext* raw) const noexcept {
    try {
      compute(Ort::KernelContext(raw));
      return nullptr;
    } catch (const Ort::Exception& failure) {
      return Ort::Status(failure.what(), failure.GetOrtErrorCode()).release();
    } catch (const std::exception& failure) {
      return Ort::Status(failure.what(), ORT_FAIL).release();
    }
  }

 private:
  using Arena = std::unique_ptr<OrtAllocator, decltype(OrtApi::ReleaseAllocator)>;

  /** All windows of all rows, dealt out to the threads that the session has. Nothing may be thrown across those. */
  struct Work {
    const Chain& chain;
    const float* input;
    float* output;
    int64_t length;
    int64_t window;
    int64_t windowsPerRow;
    OrtAllocator* allocator;
    std::atomic<bool> lacksMemory{false};

    void run(int64_t number) noexcept {
      try {
        makeWindow(number / windowsPerRow, number % windowsPerRow * window);
      } catch (...) {
        // The runtime's arena throws where there is none, and nothing else can fail.
        lacksMemory = true;
      }
    }

    void makeWindow(int64_t row, int64_t begin) const {
      const int64_t made = length * chain.rate();
      const auto plan = chain.plan({begin, std::min(begin + window, made)});
      const size_t bytes = (plan.floats + AlignedFloats::kSpare) * sizeof(float);
      Ort::MemoryAllocation memory(allocator, allocator->Alloc(allocator, bytes), bytes);
      if (memory.get() == nullptr) throw std::bad_alloc();
      chain.run(plan, input + row * length * chain.inputChannels(), length,
                AlignedFloats::aligned(static_cast<float*>(memory.get())),
                output + (row * made + begin) * chain.outputChannels());
    }
  };

  static Arena arenaOf(const Ort::KernelContext& context) {
    const auto arena = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
    return {context.GetAllocator(*static_cast<const OrtMemoryInfo*>(arena)), Ort::GetApi().ReleaseAllocator};
  }

  void compute(const Ort::KernelContext& context) const {
    const Ort::ConstValue input = context.GetInput(0);
    const auto shape = input.GetTensorTypeAndShapeInfo().GetShape();
    if (shape.size() != 4 || shape[1] != 1 || shape[3] != chain_.inputChannels()) {
      throw Ort::Exception("A chain of convolutions was given a tensor of another shape.", ORT_INVALID_ARGUMENT);
    }
    const int64_t made = shape[2] * chain_.rate();
    const std::vector<int64_t> shapeMade = {shape[0], 1, made, chain_.outputChannels()};
    Ort::UnownedValue output = context.GetOutput(0, shapeMade);
    const int64_t windows = (made + window_ - 1) / window_;
    const Arena arena = arenaOf(context);
    Work work{chain_,  input.GetTensorData<float>(), output.GetTensorMutableData<float>(), shape[2], window_,
              windows, arena.get()};
    const auto run = [](void* given, size_t number) { static_cast<Work*>(given)->run(static_cast<int64_t>(number)); };
    const auto all = static_cast<size_t>(shape[0] * windows);
    if (all > 0) context.ParallelFor(run, all, 0, &work);
    if (work.lacksMemory) throw Ort::Exception("Failed to allocate memory for a window of convolutions.", ORT_FAIL);
  }

  Chain chain_;
  int64_t window_;
};

struct WindowedConvolutions : Ort::CustomOpBase<WindowedConvolutions, Kernel, true> {
  const char* GetName() const { return kOperator; }
  const char* GetExecutionProviderType() const { return "CPUExecutionProvider"; }
  size_t GetInputTypeCount() const { return 2; }
  ONNXTensorElementDataType GetInputType(size_t) const { return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT; }
  OrtCustomOpInputOutputCharacteristic GetInputCharacteristic(size_t index) const {
    return index == 0 ? INPUT_OUTPUT_REQUIRED : INPUT_OUTPUT_VARIADIC;
  }
  size_t GetOutputTypeCount() const { return 1; }
  ONNXTensorElementDataType GetOutputType(size_t) const { return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT; }

  OrtStatusPtr CreateKernelV2(const OrtApi&, const OrtKernelInfo* raw, void** kernel) const noexcept {
    try {
      *kernel = new Kernel(Ort::ConstKernelInfo(raw));
      return nullptr;
    } catch (const std::exception& failure) {
      return Ort::Status(failure.what(), ORT_INVALID_GRAPH).release();
    }
  }
};

Ort::CustomOpDomain makeDomain() {
  static const WindowedConvolutions windowedConvolutions;
  Ort::CustomOpDomain domain(kDomain);
  domain.Add(&windowedConvolutions);
  return domain;
}

}  // namespace

const Ort::CustomOpDomain& operatorDomain() {
  // Sessions refer to it for as long as they live, and some live as long as the process.
  static const auto* domain = new Ort::CustomOpDomain(makeDomain());
  return *domain;
}

}  // namespace lantang
