#pragma once

#include <stdexcept>
#include <string>

namespace phonemizer {

/** What is told to the caller: a stable code and a sentence. */
struct Failure : std::runtime_error {
  Failure(std::string failureCode, const std::string& message)
      : std::runtime_error(message), code(std::move(failureCode)) {}
  std::string code;
};

/** libespeak-ng, opened at run time. One per process, one thread: the library keeps everything in globals. */
class Espeak {
 public:
  /**
   * `library` as dlopen takes it. Throws `espeak_unavailable`. It is never closed: espeak-ng starts a thread of its
   * own, which would go on running in code that is no longer there.
   */
  explicit Espeak(const std::string& library);
  Espeak(const Espeak&) = delete;
  Espeak& operator=(const Espeak&) = delete;

  std::string version() const;
  /**
   * By espeak-ng's name (`en-us`, `cmn`) or its language (`en-gb`), of at most 64 letters, digits, `-`, `_` and `+`
   * (before a variant). Throws `voice_unknown`.
   * Selecting the voice that is already in use costs nothing.
   */
  void useVoice(const std::string& name);
  /** IPA in UTF-8, words separated by spaces; what espeak-ng takes for several clauses is joined by a space. */
  std::string phonemes(const std::string& text) const;

 private:
  bool useLanguage(const std::string& tag);

  void* handle_ = nullptr;
  const char* (*info_)(const char** dataPath) = nullptr;
  int (*setVoiceByName_)(const char* name) = nullptr;
  int (*setVoiceByProperties_)(void* selection) = nullptr;
  const void* (*currentVoice_)() = nullptr;
  const char* (*textToPhonemes_)(const void** text, int textMode, int phonemeMode) = nullptr;
  std::string voice_;
};

}  // namespace phonemizer
