#pragma once

#include <napi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lantang {

/** Throws invalid_argument: "path: expectation". */
[[noreturn]] void refuse(const std::string& path, const std::string& expectation);

/** `path[index]` */
std::string indexed(const std::string& path, uint32_t index);

/**
 * A JavaScript object being read at the border: knows its path for messages, and reads each kind of field with its
 * check. Every method throws invalid_argument where the field is not what it should be.
 */
class Reader {
 public:
  Reader(const Napi::Value& value, std::string path);

  std::string pathOf(const char* key) const { return path_ + "." + key; }
  Napi::Value get(const char* key) const { return object_.Get(key); }
  bool has(const char* key) const { return !get(key).IsUndefined(); }

  /** Within [least, most]; NaN is not. */
  double number(const char* key, double least, double most) const;
  int64_t integer(const char* key, double least, double most) const;
  int64_t integerOr(const char* key, double least, double most, int64_t absent) const;
  bool boolean(const char* key) const;
  bool booleanOr(const char* key, bool absent) const { return has(key) ? boolean(key) : absent; }
  /** Of all fields. */
  std::vector<std::string> names() const;
  /** Neither empty nor with a NUL. */
  std::string string(const char* key) const;
  std::optional<std::string> stringOrNull(const char* key) const;
  /** One of the words; `absent`, unless that is empty, where the field is not there. */
  std::string word(const char* key, const std::vector<std::string>& words, const std::string& absent) const;
  Napi::Array array(const char* key) const;
  std::vector<std::string> strings(const char* key) const;

 private:
  std::string path_;
  Napi::Object object_;
};

}  // namespace lantang
