#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include "allowance.h"
#include "graph.h"
#include "manifest.h"
#include "vocoder_place.h"

namespace lantang {

/** Longest vocoder window, about ten seconds of audio: bounds what one run takes, whatever the row's length. */
constexpr int64_t kLongestWindow = 1024;

/**
 * A loaded voice, shared by all threads of the process that asked for the same one. Sessions have no thread of their
 * own: every caller runs them on its own thread. It goes when its last user lets go.
 */
class Voice {
 public:
  explicit Voice(const LoadRequest& request);

  const Graph& graph() const { return graph_; }
  VocoderPlaces& places() { return places_; }
  /** Most rows of one run: what was asked for, or what memory has been found to suffice for. */
  int64_t rowsPerRun() const { return rows_.current(); }
  /** Memory did not suffice for more. */
  void lowerRowsPerRun(int64_t rows);
  /** The only lengths of vocoder windows; empty: any. */
  const std::vector<int64_t>& buckets() const { return buckets_; }
  /** Longest vocoder window, in frames. */
  int64_t longestWindow() const { return window_.current(); }
  /** Memory did not suffice for the longest window. False where a shorter one would be mostly margin. */
  bool shortenWindows();
  /** After a time in which memory sufficed, runs may be larger again. */
  void growAgain();
  double loadMilliseconds() const { return loadMilliseconds_; }
  int users() const { return users_.load(); }

  /** Runs of several rows that failed and were repeated by halves. */
  int repeatedRuns() const { return repeatedRuns_.load(); }
  void countRepeatedRun() { ++repeatedRuns_; }

  /** After device_lost: nobody gets these sessions any more, the next load opens new ones. */
  void retire() { retired_.store(true); }
  bool retired() const { return retired_.load(); }

 private:
  friend class VoiceUse;

  Voice(const LoadRequest& request, std::chrono::steady_clock::time_point begun);

  Graph graph_;
  std::vector<int64_t> buckets_;
  VocoderPlaces places_;
  Allowance rows_;
  Allowance window_;
  double loadMilliseconds_;
  std::atomic<int> users_{0};
  std::atomic<int> repeatedRuns_{0};
  std::atomic<bool> retired_{false};
};

/** One user's hold on a voice, counted while it lasts. */
class VoiceUse {
 public:
  explicit VoiceUse(std::shared_ptr<Voice> voice) : voice_(std::move(voice)) { ++voice_->users_; }
  ~VoiceUse() { --voice_->users_; }
  VoiceUse(const VoiceUse&) = delete;
  VoiceUse& operator=(const VoiceUse&) = delete;

  Voice& operator*() const { return *voice_; }
  Voice* operator->() const { return voice_.get(); }

 private:
  std::shared_ptr<Voice> voice_;
};

/**
 * The voice for this request: an open one where directory, manifest, device and lane are equal, else newly loaded.
 * On the CPU the lane does not count: one session serves any number of threads at once. Threads that ask for the
 * same voice load it once; others do not wait. Throws what Graph throws.
 */
std::shared_ptr<VoiceUse> acquireVoice(const LoadRequest& request);

}  // namespace lantang
