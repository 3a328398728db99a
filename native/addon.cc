// What JavaScript can see of the addon: src/inference/binding.ts is its contract, this file only the list of exports.
#include <napi.h>

#include "convert.h"
#include "js_classes.h"
#include "runtime.h"

namespace lantang {
namespace {

Napi::Value openRuntime(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&]() -> Napi::Value {
    const RuntimeOptions options = runtimeOptionsFrom(info[0]);
    const Runtime& runtime = Runtime::open(options.libraryPath, options.logLevel);
    Napi::Object facts = Napi::Object::New(info.Env());
    facts["version"] = Napi::String::New(info.Env(), runtime.version());
    facts["providers"] = toJs(info.Env(), runtime.providers());
    return facts;
  });
}

Napi::Value load(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] { return makeVoice(info.Env(), loadRequestFrom(info[0])); });
}

Napi::Value mastering(const Napi::CallbackInfo& info) {
  return guarded(info.Env(), [&] { return makeMastering(info.Env(), masteringOptionsFrom(info[0])); });
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  defineClasses(env);
  exports["openRuntime"] = Napi::Function::New<openRuntime>(env, "openRuntime");
  exports["load"] = Napi::Function::New<load>(env, "load");
  exports["mastering"] = Napi::Function::New<mastering>(env, "mastering");
  return exports;
}

}  // namespace
}  // namespace lantang

static Napi::Object Init(Napi::Env env, Napi::Object exports) { return lantang::init(env, exports); }
NODE_API_MODULE(lantang, Init)
