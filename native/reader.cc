#include "reader.h"

#include <algorithm>
#include <cmath>

#include "errors.h"

namespace lantang {
namespace {

/** Without the zeros that say nothing. */
std::string text(double number) {
  std::string digits = std::to_string(number);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

}  // namespace

void refuse(const std::string& path, const std::string& expectation) {
  throw Failure(Code::kInvalidArgument, path + ": " + expectation);
}

std::string indexed(const std::string& path, uint32_t index) { return path + "[" + std::to_string(index) + "]"; }

Reader::Reader(const Napi::Value& value, std::string path) : path_(std::move(path)) {
  if (!value.IsObject() || value.IsArray() || value.IsTypedArray()) refuse(path_, "expected an object.");
  object_ = value.As<Napi::Object>();
}

double Reader::number(const char* key, double least, double most) const {
  const Napi::Value value = get(key);
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : NAN;
  if (number >= least && number <= most) return number;
  refuse(pathOf(key), "expected a number from " + text(least) + " to " + text(most) + ".");
}

int64_t Reader::integer(const char* key, double least, double most) const {
  const double value = number(key, least, most);
  if (value == std::floor(value)) return static_cast<int64_t>(value);
  refuse(pathOf(key), "expected a whole number.");
}

int64_t Reader::integerOr(const char* key, double least, double most, int64_t absent) const {
  return has(key) ? integer(key, least, most) : absent;
}

bool Reader::boolean(const char* key) const {
  const Napi::Value value = get(key);
  if (!value.IsBoolean()) refuse(pathOf(key), "expected true or false.");
  return value.As<Napi::Boolean>().Value();
}

std::string Reader::string(const char* key) const {
  const Napi::Value value = get(key);
  if (!value.IsString()) refuse(pathOf(key), "expected a string.");
  const std::string result = value.As<Napi::String>().Utf8Value();
  if (result.empty() || result.find('\0') != std::string::npos) refuse(pathOf(key), "expected a string with text.");
  return result;
}

std::optional<std::string> Reader::stringOrNull(const char* key) const {
  if (get(key).IsNull()) return std::nullopt;
  return string(key);
}

std::string Reader::word(const char* key, const std::vector<std::string>& words, const std::string& absent) const {
  if (!has(key) && !absent.empty()) return absent;
  const std::string found = string(key);
  if (std::find(words.begin(), words.end(), found) != words.end()) return found;
  std::string list;
  for (const auto& each : words) list += (list.empty() ? "" : ", ") + each;
  refuse(pathOf(key), "expected one of " + list + ".");
}

Napi::Array Reader::array(const char* key) const {
  const Napi::Value value = get(key);
  if (!value.IsArray()) refuse(pathOf(key), "expected an array.");
  return value.As<Napi::Array>();
}

std::vector<std::string> Reader::strings(const char* key) const {
  const Napi::Array values = array(key);
  std::vector<std::string> result;
  for (uint32_t i = 0; i < values.Length(); ++i) {
    const Napi::Value value = values.Get(i);
    if (!value.IsString()) refuse(pathOf(key) + "[" + std::to_string(i) + "]", "expected a string.");
    result.push_back(value.As<Napi::String>().Utf8Value());
  }
  return result;
}

std::vector<std::string> Reader::names() const {
  const Napi::Array keys = object_.GetPropertyNames();
  std::vector<std::string> result;
  for (uint32_t i = 0; i < keys.Length(); ++i) result.push_back(Napi::Value(keys.Get(i)).ToString().Utf8Value());
  return result;
}

}  // namespace lantang
