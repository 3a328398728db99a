#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace phonemizer {

/** One line from the caller: `{"id":1,"voice":"en-us","clauses":["hello world","how are you"]}`. */
struct Request {
  int64_t id = 0;
  std::string voice;
  std::vector<std::string> clauses;
};

/**
 * Reads one line, strictly: JSON (RFC 8259) of exactly this shape, keys in any order.
 * Throws Failure `request_malformed`, which tells the byte where reading stopped.
 */
Request parseRequest(const std::string& line);

}  // namespace phonemizer
