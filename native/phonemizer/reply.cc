#include "reply.h"

#include <cstdio>

namespace phonemizer {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) {
      result += c;
      continue;
    }
    char escape[7];
    std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned char>(c));
    result += escape;
  }
  return result + '"';
}

}  // namespace

std::string readyLine(const std::string& version) { return "{\"ready\":true,\"version\":" + quoted(version) + "}\n"; }

std::string phonemesLine(int64_t id, const std::vector<std::string>& phonemes) {
  std::string line = "{\"id\":" + std::to_string(id) + ",\"phonemes\":[";
  for (size_t i = 0; i < phonemes.size(); ++i) line += (i ? "," : "") + quoted(phonemes[i]);
  return line + "]}\n";
}

std::string errorLine(std::optional<int64_t> id, const std::string& code, const std::string& message) {
  return "{\"id\":" + (id ? std::to_string(*id) : "null") + ",\"error\":{\"code\":" + quoted(code) +
         ",\"message\":" + quoted(message) + "}}\n";
}

}  // namespace phonemizer
