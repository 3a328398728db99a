#include "vocoder_plan.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace lantang {
namespace {

/** What starting one more run costs, in frames computed: short kernels, and on a device their launches. */
constexpr int64_t kRunCost = 256;

/** Windows of `length` over one row: the last one ends at the row's end. Shorter rows get one window of their own. */
std::vector<Window> cutRow(int64_t row, int64_t frames, int64_t length, int64_t reach) {
  std::vector<Window> windows;
  for (int64_t kept = 0; kept < frames;) {
    const int64_t start = std::max<int64_t>(0, std::min(kept - reach, frames - length));
    const int64_t end = start + length;
    const int64_t keepTo = end >= frames ? frames : end - reach;
    windows.push_back({row, start, kept, keepTo});
    kept = keepTo;
  }
  return windows;
}

/** Windows by their length, longest first, at most `windowsPerRun` to a run; `lengths[i]` is that of row i's. */
std::vector<VocoderRun> planWith(const std::vector<int64_t>& lengths, const std::vector<int64_t>& frames,
                                 const VocoderLimits& limits) {
  std::map<int64_t, std::vector<Window>, std::greater<>> byLength;
  for (size_t row = 0; row < frames.size(); ++row) {
    const auto windows = cutRow(static_cast<int64_t>(row), frames[row], lengths[row], limits.reach);
    auto& equals = byLength[std::min(lengths[row], frames[row])];
    equals.insert(equals.end(), windows.begin(), windows.end());
  }
  std::vector<VocoderRun> runs;
  for (const auto& [windowLength, windows] : byLength) {
    for (size_t at = 0; at < windows.size(); at += limits.windowsPerRun) {
      const size_t end = std::min<size_t>(windows.size(), at + limits.windowsPerRun);
      runs.push_back({windowLength, {windows.begin() + at, windows.begin() + end}});
    }
  }
  return runs;
}

int64_t costOf(const std::vector<VocoderRun>& runs) {
  int64_t cost = 0;
  for (const VocoderRun& run : runs) cost += kRunCost + run.length * static_cast<int64_t>(run.windows.size());
  return cost;
}

/** Where lengths are free: the one for all rows with which the runs cost least. */
std::vector<VocoderRun> planFreely(const std::vector<int64_t>& frames, const VocoderLimits& limits) {
  const int64_t shortest = shortestWindow(limits.reach);
  const int64_t longest = std::max(limits.longest, shortest);
  std::set<int64_t> lengths = {longest};
  for (const int64_t count : frames) lengths.insert(std::clamp(count, shortest, longest));
  std::vector<VocoderRun> best;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const int64_t length : lengths) {
    std::vector<VocoderRun> runs = planWith(std::vector<int64_t>(frames.size(), length), frames, limits);
    if (const int64_t cost = costOf(runs); cost < least) {
      least = cost;
      best = std::move(runs);
    }
  }
  return best;
}

/** The bucket in whose windows a row's frames cost least, the longer of two; for a shorter row the shortest. */
int64_t bucketOf(int64_t frames, const std::vector<int64_t>& buckets, int64_t reach) {
  int64_t best = buckets.front();
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const int64_t bucket : buckets) {
    if (bucket > frames) break;
    const int64_t cost = bucket * static_cast<int64_t>(cutRow(0, frames, bucket, reach).size());
    if (cost > least) continue;
    least = cost;
    best = bucket;
  }
  return best;
}

/** Ascending, without those whose windows would be mostly margin or longer than the limit. */
std::vector<int64_t> usableBuckets(const VocoderLimits& limits) {
  std::set<int64_t> usable;
  for (const int64_t bucket : limits.buckets) {
    if (bucket >= shortestWindow(limits.reach) && bucket <= limits.longest) usable.insert(bucket);
  }
  return {usable.begin(), usable.end()};
}

}  // namespace

int64_t shortestWindow(int64_t reach) { return std::max<int64_t>(1, 4 * reach); }

std::vector<VocoderRun> planBatch(const std::vector<int64_t>& frames, const VocoderLimits& limits) {
  const std::vector<int64_t> buckets = usableBuckets(limits);
  if (buckets.empty()) return planFreely(frames, limits);
  std::vector<int64_t> lengths;
  for (const int64_t count : frames) lengths.push_back(bucketOf(count, buckets, limits.reach));
  return planWith(lengths, frames, limits);
}

std::vector<VocoderRun> planStream(int64_t frames, int64_t reach, int64_t first, int64_t next) {
  std::vector<VocoderRun> runs;
  for (int64_t kept = 0; kept < frames;) {
    const int64_t keepTo = std::min(frames, kept + (runs.empty() ? first : next));
    const int64_t start = std::max<int64_t>(0, kept - reach);
    const int64_t end = std::min(frames, keepTo + reach);
    runs.push_back({end - start, {{0, start, kept, keepTo}}});
    kept = keepTo;
  }
  return runs;
}

}  // namespace lantang
