#include "espeak.h"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>

namespace phonemizer {
namespace {

// From espeak-ng's speak_lib.h, whose C interface is stable; declared here so that no development package is needed.
constexpr int kAudioOutputSynchronous = 2;
constexpr int kInitializeDontExit = 0x8000;
constexpr int kCharsUtf8 = 1;
constexpr int kPhonemesIpa = 0x02;
constexpr int kOk = 0;

struct VoiceSelection {
  const char* name;
  const char* languages;
  const char* identifier;
  unsigned char gender, age, variant, reserved;
  int score;
  void* spare;
};

template <typename Function>
void resolve(void* handle, const char* name, Function& function) {
  void* symbol = dlsym(handle, name);
  if (!symbol) throw Failure("espeak_unavailable", std::string("The library has no function ") + name + ".");
  function = reinterpret_cast<Function>(symbol);
}

constexpr size_t kLongestName = 64;

/** A name is also looked for as a file, and espeak-ng does not survive every file that is no voice. */
bool isPlainName(const std::string& name) {
  if (name.empty() || name.size() > kLongestName || !isalnum(static_cast<unsigned char>(name[0]))) return false;
  return std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 0x80 && (isalnum(c) || c == '-' || c == '_' || c == '+');
  });
}

}  // namespace

Espeak::Espeak(const std::string& library) {
  handle_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle_) {
    const char* reason = dlerror();
    throw Failure("espeak_unavailable",
                  "libespeak-ng can't be opened: " + std::string(reason ? reason : library) + ".");
  }
  int (*initialize)(int output, int bufferMilliseconds, const char* dataPath, int options) = nullptr;
  resolve(handle_, "espeak_Initialize", initialize);
  resolve(handle_, "espeak_Info", info_);
  resolve(handle_, "espeak_SetVoiceByName", setVoiceByName_);
  resolve(handle_, "espeak_SetVoiceByProperties", setVoiceByProperties_);
  resolve(handle_, "espeak_GetCurrentVoice", currentVoice_);
  resolve(handle_, "espeak_TextToPhonemes", textToPhonemes_);
  if (initialize(kAudioOutputSynchronous, 0, nullptr, kInitializeDontExit) < 0) {
    throw Failure("espeak_unavailable", "espeak-ng finds no data; is the package espeak-ng-data installed?");
  }
}

std::string Espeak::version() const {
  const char* dataPath = nullptr;
  const char* text = info_(&dataPath);
  const std::string whole = text ? text : "";
  return whole.substr(0, whole.find(' '));
}

void Espeak::useVoice(const std::string& name) {
  if (!name.empty() && name == voice_) return;
  // A failed switch keeps the old voice, or half of it: the next request has to switch again.
  voice_.clear();
  if (!isPlainName(name) || (setVoiceByName_(name.c_str()) != kOk && !useLanguage(name))) {
    throw Failure("voice_unknown", "espeak-ng has no voice \"" + name + "\".");
  }
  voice_ = name;
}

bool Espeak::useLanguage(const std::string& tag) {
  VoiceSelection wanted{};
  wanted.languages = tag.c_str();
  if (setVoiceByProperties_(&wanted) != kOk) return false;
  // espeak-ng settles for a related voice; only the language itself will do. `languages` is a priority byte, then a tag.
  const auto* found = static_cast<const VoiceSelection*>(currentVoice_());
  return found && found->languages && found->languages[0] && tag == found->languages + 1;
}

std::string Espeak::phonemes(const std::string& text) const {
  std::string result;
  const void* rest = text.c_str();
  while (rest) {
    const char* clause = textToPhonemes_(&rest, kCharsUtf8, kPhonemesIpa);
    if (!clause || !*clause) continue;
    if (!result.empty()) result += ' ';
    result += clause;
  }
  return result;
}

}  // namespace phonemizer
