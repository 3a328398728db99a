// lantang-phonemizer [--library PATH]
//
// Turns clauses of text into phonemes with espeak-ng. JSON lines on standard input and output, one request a line,
// answered in order; the first line out says that it is ready. It ends when its input does.

#include <cstdio>
#include <iostream>
#include <string>

#include "espeak.h"
#include "reply.h"
#include "request.h"

namespace phonemizer {
namespace {

constexpr const char* kDefaultLibrary = "libespeak-ng.so.1";
constexpr size_t kMostLineBytes = 4 << 20;

void write(const std::string& line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
}

std::string answer(Espeak& espeak, const std::string& line) {
  std::optional<int64_t> id;
  try {
    if (line.size() > kMostLineBytes) throw Failure("request_too_large", "The request has more than 4 MiB.");
    const Request request = parseRequest(line);
    id = request.id;
    espeak.useVoice(request.voice);
    std::vector<std::string> phonemes;
    for (const auto& clause : request.clauses) phonemes.push_back(espeak.phonemes(clause));
    return phonemesLine(request.id, phonemes);
  } catch (const Failure& failure) {
    return errorLine(id, failure.code, failure.what());
  } catch (const std::exception& failure) {
    return errorLine(id, "internal", failure.what());
  }
}

int serve(const std::string& library) {
  try {
    Espeak espeak(library);
    write(readyLine(espeak.version()));
    std::string line;
    while (std::getline(std::cin, line)) write(answer(espeak, line));
    return 0;
  } catch (const Failure& failure) {
    write(errorLine(std::nullopt, failure.code, failure.what()));
    return 1;
  }
}

}  // namespace
}  // namespace phonemizer

int main(int count, char** arguments) {
  std::ios::sync_with_stdio(false);
  if (count == 1) return phonemizer::serve(phonemizer::kDefaultLibrary);
  if (count == 3 && std::string(arguments[1]) == "--library") return phonemizer::serve(arguments[2]);
  std::fprintf(stderr, "usage: lantang-phonemizer [--library PATH]\n");
  return 2;
}
