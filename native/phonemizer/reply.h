#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace phonemizer {

/** The first line: `{"ready":true,"version":"1.51"}`. */
std::string readyLine(const std::string& version);

/** `{"id":1,"phonemes":["həlˈoʊ wˈɜːld"]}`, one string for every clause. */
std::string phonemesLine(int64_t id, const std::vector<std::string>& phonemes);

/** `{"id":1,"error":{"code":"…","message":"…"}}`; `"id":null` when the request's own can't be told. */
std::string errorLine(std::optional<int64_t> id, const std::string& code, const std::string& message);

}  // namespace phonemizer
