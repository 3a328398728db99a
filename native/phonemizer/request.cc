#include "request.h"

#include "espeak.h"

namespace phonemizer {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;
constexpr size_t kMostIdDigits = 15;

void appendUtf8(std::string& out, uint32_t point) {
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xC0 | point >> 6);
    out += static_cast<char>(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    out += static_cast<char>(0xE0 | point >> 12);
    out += static_cast<char>(0x80 | (point >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (point & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | point >> 18);
    out += static_cast<char>(0x80 | (point >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (point >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (point & 0x3F));
  }
}

bool isHighSurrogate(uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool isLowSurrogate(uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  Request request() {
    Request result;
    unsigned seen = 0;
    expect('{');
    do {
      const std::string key = string();
      expect(':');
      seen |= member(result, key);
    } while (take(','));
    expect('}');
    skipSpace();
    if (at_ != text_.size()) refuse("something follows the request");
    if (seen != (kId | kVoice | kClauses)) refuse("id, voice and clauses are expected");
    return result;
  }

 private:
  enum Seen : unsigned { kId = 1, kVoice = 2, kClauses = 4 };

  [[noreturn]] void refuse(const std::string& what) const {
    throw Failure("request_malformed", "The request is malformed at byte " + std::to_string(at_) + ": " + what + ".");
  }

  unsigned member(Request& result, const std::string& key) {
    if (key == "id") return result.id = integer(), kId;
    if (key == "voice") return result.voice = string(), kVoice;
    if (key == "clauses") return result.clauses = strings(), kClauses;
    refuse("unknown key");
  }

  void skipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
  }

  bool take(char wanted) {
    skipSpace();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) refuse(std::string("expected '") + wanted + "'");
  }

  int64_t integer() {
    skipSpace();
    const size_t start = at_;
    int64_t value = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') value = value * 10 + (text_[at_++] - '0');
    if (at_ == start || at_ - start > kMostIdDigits) refuse("expected a whole number of at most 15 digits");
    return value;
  }

  std::vector<std::string> strings() {
    std::vector<std::string> result;
    expect('[');
    if (take(']')) return result;
    do result.push_back(string());
    while (take(','));
    expect(']');
    return result;
  }

  std::string string() {
    expect('"');
    std::string result;
    for (;;) {
      if (at_ >= text_.size()) refuse("a string has no end");
      const char c = text_[at_++];
      if (c == '"') return result;
      if (static_cast<unsigned char>(c) < 0x20) refuse("a control character in a string");
      if (c == '\\') escape(result);
      else result += c;
    }
  }

  void escape(std::string& out) {
    static const std::string kNames = "\"\\/bfnrt";
    static const std::string kValues = "\"\\/\b\f\n\r\t";
    if (at_ >= text_.size()) refuse("a string has no end");
    const char c = text_[at_++];
    if (c == 'u') return appendUtf8(out, point());
    const size_t index = kNames.find(c);
    if (index == std::string::npos) refuse("unknown escape");
    out += kValues[index];
  }

  /** After `\u`. Half a surrogate pair becomes U+FFFD, and NUL, which would end the text for C, a space. */
  uint32_t point() {
    const uint32_t first = fourHex();
    if (first == 0) return ' ';
    if (isLowSurrogate(first)) return kReplacement;
    if (!isHighSurrogate(first)) return first;
    if (text_.compare(at_, 2, "\\u") != 0) return kReplacement;
    const size_t back = at_;
    at_ += 2;
    const uint32_t second = fourHex();
    if (isLowSurrogate(second)) return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    at_ = back;
    return kReplacement;
  }

  uint32_t fourHex() {
    static const std::string kDigits = "0123456789abcdef";
    uint32_t value = 0;
    for (int i = 0; i < 4; ++i) {
      if (at_ >= text_.size()) refuse("a string has no end");
      const size_t digit = kDigits.find(static_cast<char>(text_[at_] | (text_[at_] >= 'A' ? 0x20 : 0)));
      if (digit == std::string::npos) refuse("expected four hexadecimal digits");
      value = value << 4 | static_cast<uint32_t>(digit);
      ++at_;
    }
    return value;
  }

  const std::string& text_;
  size_t at_ = 0;
};

}  // namespace

Request parseRequest(const std::string& line) { return Parser(line).request(); }

}  // namespace phonemizer
