#include "registry.h"

#include <chrono>
#include <map>
#include <mutex>
#include <sstream>

#include "runtime.h"
#include "session.h"
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
      << device.memoryLimit << ' ' << device.algorithmSearch << ' ' << device.tf32 << device.pinned << device.graphs
      << device.encoderOnCpu << ' ' << (shared ? 0 : request.lane) << ' ' << request.rowsPerRun << ' '
      << request.memoryPatience;
  for (const auto& [name, value] : device.providerOptions) key << '\n' << name << '=' << value;
  key << '\n';
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

using Clock = Allowance::Clock;

Clock::duration patienceOf(const LoadRequest& request) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(request.memoryPatience));
}

void noteSettled(const Graph& graph, const std::string& sufficing) {
  graph.notes().add("The memory of " + std::string(nameOf(graph.device().provider)) + ":" +
                    std::to_string(graph.device().deviceId) + " has sufficed for no more than " + sufficing +
                    ", again and again; `lantang tune VOICE` finds what is fastest within that.");
}

}  // namespace

Voice::Voice(const LoadRequest& request) : Voice(request, Clock::now()) {}

Voice::Voice(const LoadRequest& request, Clock::time_point begun)
    : graph_(request),
      buckets_(request.buckets),
      places_(graph_, buckets_),
      rows_(request.manifest.batchable && request.manifest.perRowScales ? request.rowsPerRun : 1, patienceOf(request)),
      window_(kLongestWindow, patienceOf(request)),
      loadMilliseconds_(std::chrono::duration<double, std::milli>(Clock::now() - begun).count()) {}

void Voice::lowerRowsPerRun(int64_t rows) {
  rows_.lower(rows, Clock::now());
  if (rows_.takeSettled()) noteSettled(graph_, std::to_string(rowsPerRun()) + " rows at once");
}

bool Voice::shortenWindows() {
  if (!graph_.manifest().tensors.latent) return false;
  const int64_t shorter = longestWindow() / 2;
  if (shorter < shortestWindow(graph_.manifest().vocoderReach)) return false;
  window_.lower(shorter, Clock::now());
  if (window_.takeSettled()) noteSettled(graph_, std::to_string(longestWindow()) + " frames at once");
  return true;
}

void Voice::growAgain() {
  rows_.raiseIfQuiet(Clock::now());
  window_.raiseIfQuiet(Clock::now());
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
