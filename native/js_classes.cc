#include "js_classes.h"

#include <utility>

#include "batch.h"
#include "convert.h"
#include "mastering.h"
#include "registry.h"
#include "session.h"
#include "stream.h"

namespace lantang {
namespace {

/** The class constructors of one environment. */
struct Classes {
  Napi::FunctionReference voice;
  Napi::FunctionReference stream;
  Napi::FunctionReference mastering;
};

Classes& classesOf(Napi::Env env) { return *env.GetInstanceData<Classes>(); }

/** Constructors take what C++ made, wrapped; a call from JavaScript has nothing of the kind. */
template <typename T>
T takeMade(const Napi::CallbackInfo& info) {
  if (info.Length() == 1 && info[0].IsExternal()) return std::move(*info[0].As<Napi::External<T>>().Data());
  throw toJs(info.Env(), Failure(Code::kInvalidArgument, "This class cannot be constructed; call load or mastering."));
}

template <typename T>
Napi::Value construct(const Napi::FunctionReference& constructor, T made) {
  return constructor.New({Napi::External<T>::New(constructor.Env(), &made)});
}

struct MadeStream {
  std::unique_ptr<Stream> stream;
};

class JsStream : public Napi::ObjectWrap<JsStream> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "Stream",
                       {InstanceMethod<&JsStream::next>("next"), InstanceMethod<&JsStream::durations>("durations"),
                        InstanceMethod<&JsStream::total>("total"), InstanceMethod<&JsStream::close>("close")});
  }

  explicit JsStream(const Napi::CallbackInfo& info)
      : ObjectWrap(info), stream_(std::move(takeMade<MadeStream>(info).stream)) {}

 private:
  Napi::Value next(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&] {
      const auto piece = stream_->next();
      return piece ? toJs(info.Env(), *piece) : info.Env().Null();
    });
  }

  Napi::Value durations(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&] {
      const auto& durations = stream_->durations();
      return durations ? toJs(info.Env(), *durations) : info.Env().Null();
    });
  }

  Napi::Value total(const Napi::CallbackInfo& info) {
    return Napi::Number::New(info.Env(), static_cast<double>(stream_->total()));
  }

  void close(const Napi::CallbackInfo&) { stream_->close(); }

  std::unique_ptr<Stream> stream_;
};

class JsVoice : public Napi::ObjectWrap<JsVoice> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(env, "Voice",
                       {InstanceMethod<&JsVoice::synthesize>("synthesize"), InstanceMethod<&JsVoice::stream>("stream"),
                        InstanceMethod<&JsVoice::info>("info"), InstanceMethod<&JsVoice::takeNotes>("takeNotes"),
                        InstanceMethod<&JsVoice::release>("release"), InstanceMethod<&JsVoice::close>("close")});
  }

  explicit JsVoice(const Napi::CallbackInfo& info)
      : ObjectWrap(info), use_(takeMade<std::shared_ptr<VoiceUse>>(info)) {}

 private:
  /** Throws closed; device_lost once the device has failed under this voice. */
  Voice& voice() const {
    if (!use_) throw Failure(Code::kClosed, "The voice was closed.");
    if ((*use_)->retired()) throw Failure(Code::kDeviceLost, "The device failed; load the voice again.");
    return **use_;
  }

  Napi::Value synthesize(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&] {
      Voice& voice = this->voice();
      return toJs(info.Env(), lantang::synthesize(voice, rowsFrom(info[0], voice.graph().manifest())));
    });
  }

  Napi::Value stream(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&] {
      Row row = rowFrom(info[0], "row", voice().graph().manifest());
      auto stream = std::make_unique<Stream>(use_, std::move(row), windowsFrom(info[1]));
      return construct(classesOf(info.Env()).stream, MadeStream{std::move(stream)});
    });
  }

  Napi::Value info(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&]() -> Napi::Value {
      const Voice& voice = this->voice();
      Napi::Object facts = Napi::Object::New(info.Env());
      facts["provider"] = Napi::String::New(info.Env(), nameOf(voice.graph().device().provider));
      facts["stages"] = Napi::Number::New(info.Env(), static_cast<double>(voice.graph().stages()));
      facts["users"] = Napi::Number::New(info.Env(), voice.users());
      facts["rowsPerRun"] = Napi::Number::New(info.Env(), static_cast<double>(voice.rowsPerRun()));
      facts["longestWindow"] = Napi::Number::New(info.Env(), static_cast<double>(voice.longestWindow()));
      facts["repeatedRuns"] = Napi::Number::New(info.Env(), voice.repeatedRuns());
      facts["loadMilliseconds"] = Napi::Number::New(info.Env(), voice.loadMilliseconds());
      return facts;
    });
  }

  Napi::Value takeNotes(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&]() -> Napi::Value {
      if (!use_) throw Failure(Code::kClosed, "The voice was closed.");
      return toJs(info.Env(), (*use_)->graph().notes().take());
    });
  }

  Napi::Value release(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&] {
      lantang::release(voice());
      return info.Env().Undefined();
    });
  }

  void close(const Napi::CallbackInfo&) { use_.reset(); }

  std::shared_ptr<VoiceUse> use_;
};

class JsMastering : public Napi::ObjectWrap<JsMastering> {
 public:
  static Napi::Function define(Napi::Env env) {
    return DefineClass(
        env, "Mastering",
        {InstanceMethod<&JsMastering::process>("process"), InstanceMethod<&JsMastering::finish>("finish")});
  }

  explicit JsMastering(const Napi::CallbackInfo& info) : ObjectWrap(info), mastering_(takeMade<Mastering>(info)) {}

 private:
  Napi::Value process(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&] {
      const auto [samples, count] = samplesFrom(info[0], "samples");
      return toJs(info.Env(), mastering_.process(samples, count));
    });
  }

  Napi::Value finish(const Napi::CallbackInfo& info) {
    return guarded(info.Env(), [&] { return toJs(info.Env(), mastering_.finish()); });
  }

  Mastering mastering_;
};

}  // namespace

void defineClasses(Napi::Env env) {
  auto* classes = new Classes{Napi::Persistent(JsVoice::define(env)), Napi::Persistent(JsStream::define(env)),
                              Napi::Persistent(JsMastering::define(env))};
  env.SetInstanceData(classes);
}

Napi::Value makeVoice(Napi::Env env, const LoadRequest& request) {
  return construct(classesOf(env).voice, acquireVoice(request));
}

Napi::Value makeMastering(Napi::Env env, const MasteringOptions& options) {
  return construct(classesOf(env).mastering, Mastering(options));
}

}  // namespace lantang
