#include "allowance.h"

#include <algorithm>

namespace lantang {
namespace {

constexpr int kSettledAfter = 3;
/** By then it is tried once in an hour, if at first it was in a minute. */
constexpr int kLongestPatience = 64;

}  // namespace

int64_t Allowance::current() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return current_;
}

bool Allowance::lower(int64_t to, Clock::time_point now) {
  const std::lock_guard<std::mutex> lock(mutex_);
  changed_ = now;
  if (to >= current_) return false;
  current_ = std::max<int64_t>(1, to);
  if (raised_) ++relapses_;
  raised_ = false;
  return true;
}

void Allowance::raiseIfQuiet(Clock::time_point now) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const int times = std::min(1 << std::min(relapses_, 16), kLongestPatience);
  if (current_ >= most_ || now - changed_ < patience_ * times) return;
  current_ = std::min(most_, current_ * 2);
  changed_ = now;
  raised_ = true;
}

bool Allowance::takeSettled() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (told_ || relapses_ < kSettledAfter) return false;
  told_ = true;
  return true;
}

}  // namespace lantang
