#pragma once

#include <napi.h>

#include <memory>

#include "manifest.h"
#include "mastering.h"

namespace lantang {

/*
 * The three objects that JavaScript holds: a voice, a stream of it, a mastering chain. Their classes exist once per
 * JavaScript environment (main thread or worker) and cannot be constructed from there. When an environment ends,
 * Node finalises what it left open, and with it its use of shared voices.
 */

/** Makes the classes for this environment. */
void defineClasses(Napi::Env env);

Napi::Value makeVoice(Napi::Env env, const LoadRequest& request);
Napi::Value makeMastering(Napi::Env env, const MasteringOptions& options);

}  // namespace lantang
