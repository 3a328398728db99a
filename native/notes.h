#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace lantang {

/** Sentences for the operator, each told once: what was asked for and could not be had, and what came instead. */
class Notes {
 public:
  void add(std::string sentence) {
    const std::lock_guard<std::mutex> lock(mutex_);
    sentences_.push_back(std::move(sentence));
  }

  std::vector<std::string> take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::exchange(sentences_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> sentences_;
};

}  // namespace lantang
