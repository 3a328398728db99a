#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

namespace lantang {

/**
 * How much may be asked of a memory at once. It falls when the memory did not suffice, and is doubled again, step by
 * step, after times in which it did. Each fall from a height to which it was raised in vain makes the next time twice
 * as long; after some of them it has settled. Thread-safe.
 */
class Allowance {
 public:
  using Clock = std::chrono::steady_clock;

  Allowance(int64_t most, Clock::duration patience) : most_(most), current_(most), patience_(patience) {}

  int64_t current() const;
  /** The memory did not suffice for more than that. False where that was known. */
  bool lower(int64_t to, Clock::time_point now);
  /** Twice as much as before, where the memory has sufficed for long enough. */
  void raiseIfQuiet(Clock::time_point now);
  /** Answers once that it has fallen so often that it will hardly be raised for good. */
  bool takeSettled();

 private:
  mutable std::mutex mutex_;
  int64_t most_;
  int64_t current_;
  Clock::duration patience_;
  Clock::time_point changed_{};
  int relapses_ = 0;
  bool raised_ = false;
  bool told_ = false;
};

}  // namespace lantang
