#!/usr/bin/env bash
# On the GPU machine, one step a call, in the clone's root; what is unpacked stays in TARGET while the machine is kept:
#
#   on-device.sh runtime | app | voice     unpacks build/gpu/…, which the call carried
#   on-device.sh test                      test/gpu
#   on-device.sh load | engine             one half of the benchmarks, at most 8 minutes; results go to $OUT
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
target=${TARGET:-/tmp/lantang}
packed=$here/build/gpu
out=${OUT:-$target/out}
mkdir -p "$target/app" "$target/voices" "$out"

in_app() {
  # shellcheck disable=SC1091
  source "$target/env.sh"
  export LANTANG_TEST_CACHE=$target/voices
  cd "$target/app"
}

case $1 in
runtime) bash "$packed/runtime/unpack.sh" "$packed/runtime" "$target" ;;
app)
  mkdir -p "$target/bin"
  xz -dc "$packed/app/node.xz" >"$target/bin/node" && chmod +x "$target/bin/node"
  tar -xJf "$packed/app/app.tar.xz" -C "$target/app"
  cp "$packed/app/commit" "$target/app/"
  ;;
voice) tar -xJf "$packed/voice/voice.tar.xz" -C "$target/voices" ;;
test)
  in_app
  node node_modules/mocha/bin/mocha.js 'dist/test/gpu/*.test.js' 2>&1 | tee "$out/gpu-tests.txt"
  ;;
load | engine)
  in_app
  node dist/benchmarks/gpu.js --part "$1" --device "${DEVICE:-cuda:0}" ${BENCHMARK_OPTIONS:-} 2>&1 | tee "$out/gpu-$1.txt"
  # The app is no checkout there: the reports cannot tell the commit themselves.
  cp build/benchmarks/gpu-* commit "$out/"
  ;;
*) echo "What is \"$1\"? See the first lines of $0." >&2 && exit 1 ;;
esac
