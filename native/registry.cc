#include "registry.h"

#include <chrono>
#include <map>
#include <mutex>
#include <sstream>

#include "runtime.h"
#include "vocoder_plan.h"

namespace lantang {
namespace {

/** A place for one voice, which is loaded under the slot's own lock. */
struct Slot {
  std::mutex loading;
  std::weak_ptr<Voice> voice;
};

std::mutex slotsMutex;
std::map<std::string, std::shared_ptr<Slot>> slots;

/** Everything of a request that the sessions, or how they are run, depend on. */
std::string keyOf(const LoadRequest& request) {
  const Device& device = request.device;
  const Manifest& manifest = request.manifest;
  const bool shared = device.provider == Device::Provider::kCpu;
  std::ostringstream key;
  key << request.directory << '\n' << manifest.sourceSha256 << ' ' << manifest.maxIds << ' ' << manifest.batchable;
  for (const auto& stage : manifest.stages) {
    key << '\n' << stage.file << " <";
    for (const auto& name : stage.inputs) key << ' ' << name;
    key << " >";
    for (const auto& name : stage.outputs) key << ' ' << name;
  }
  key << '\n' << static_cast<int>(device.provider) << ' ' << device.deviceId << ' ' << device.intraOpThreads << ' '
      << device.memoryLimit << ' ' << device.algorithmSearch << ' ' << device.tf32 << ' '
      << (shared ? 0 : request.lane) << ' ' << request.rowsPerRun;
  for (const int64_t bucket : request.buckets) key << ' ' << bucket;
  return key.str();
}

/** The slot of this key; those that nobody holds and whose voice is gone are dropped on the way. */
std::shared_ptr<Slot> slotOf(const std::string& key) {
  const std::lock_guard<std::mutex> lock(slotsMutex);
  for (auto at = slots.begin(); at != slots.end();) {
    const bool idle = at->second.use_count() == 1 && at->second->voice.expired();
    at = idle ? slots.erase(at) : std::next(at);
  }
  auto& slot = slots[key];
  if (!slot) slot = std::make_shared<Slot>();
  return slot;
}

using Clock = std::chrono::steady_clock;

}  // namespace

Voice::Voice(const LoadRequest& request) : Voice(request, Clock::now()) {}

Voice::Voice(const LoadRequest& request, Clock::time_point begun)
    : graph_(request),
      rowsPerRun_(request.manifest.batchable && request.manifest.perRowScales ? request.rowsPerRun : 1),
      buckets_(request.buckets),
      loadMilliseconds_(std::chrono::duration<double, std::milli>(Clock::now() - begun).count()) {}

void Voice::lowerRowsPerRun(int64_t rows) {
  int64_t known = rowsPerRun_.load();
  while (rows < known && !rowsPerRun_.compare_exchange_weak(known, rows)) {
  }
}

bool Voice::shortenWindows() {
  if (!graph_.manifest().tensors.latent) return false;
  int64_t known = longestWindow_.load();
  const int64_t shorter = known / 2;
  if (shorter < shortestWindow(graph_.manifest().vocoderReach)) return false;
  // Where another thread was faster, its window is as good.
  longestWindow_.compare_exchange_strong(known, shorter);
  return true;
}

std::shared_ptr<VoiceUse> acquireVoice(const LoadRequest& request) {
  Runtime::get();  // throws when it is not open; nothing of ONNX Runtime may be called before
  const std::shared_ptr<Slot> slot = slotOf(keyOf(request));
  const std::lock_guard<std::mutex> lock(slot->loading);
  std::shared_ptr<Voice> voice = slot->voice.lock();
  if (!voice || voice->retired()) {
    voice = std::make_shared<Voice>(request);
    slot->voice = voice;
  }
  return std::make_shared<VoiceUse>(std::move(voice));
}

}  // namespace lantang
