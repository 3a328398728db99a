#!/usr/bin/env bash
# On the GPU machine, one step a call, in the clone's root; what is unpacked stays in TARGET while the machine is kept:
#
#   on-device.sh receive           keeps the pieces build/gpu/PART.NN that this call carried
#   on-device.sh unpack PART …     unpacks parts all of whose pieces are there
#   on-device.sh test              test/gpu
#   on-device.sh load | engine     one half of the benchmarks, at most 8 minutes
#
# Results are one archive in $OUT: only a few files come back from a call.
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
target=${TARGET:-/tmp/lantang}
out=${OUT:-$target/out}
mkdir -p "$target/received" "$target/app" "$target/bin" "$target/voices" "$out"

unpack() {
  rm -rf "${target:?}/packed/$1" && mkdir -p "$target/packed"
  cat "$target/received/$1".[0-9]* | tar --extract --directory "$target/packed"
  case $1 in
  runtime) bash "$target/packed/runtime/unpack.sh" "$target/packed/runtime" "$target" ;;
  app)
    xz -dc "$target/packed/app/node.xz" >"$target/bin/node" && chmod +x "$target/bin/node"
    tar -xJf "$target/packed/app/app.tar.xz" -C "$target/app"
    cp "$target/packed/app/commit" "$target/app/" # the app is no checkout there: reports cannot tell it themselves
    ;;
  voice) tar -xJf "$target/packed/voice/voice.tar.xz" -C "$target/voices" ;;
  esac
}

in_app() {
  # shellcheck disable=SC1091
  source "$target/env.sh"
  export PATH=$target/bin:$PATH LANTANG_TEST_CACHE=$target/voices
  cd "$target/app"
  rm -rf build/benchmarks && mkdir -p build/benchmarks
  cp commit build/benchmarks/
}

case ${1:-} in
receive) cp "$here"/build/gpu/*.[0-9]* "$target/received/" && ls -l "$target/received" ;;
unpack) for part in "${@:2}"; do unpack "$part"; done ;;
test)
  in_app
  node node_modules/mocha/bin/mocha.js 'dist/test/gpu/*.test.js' 2>&1 | tee "$out/gpu-tests.txt"
  ;;
load | engine)
  in_app
  # Ended before the call is, so that what was measured comes back.
  # shellcheck disable=SC2086
  timeout 540 node dist/benchmarks/gpu.js --part "$1" --device "${DEVICE:-cuda:0}" ${BENCHMARK_OPTIONS:-} 2>&1 |
    tee "build/benchmarks/gpu-$1.txt" || echo "cut short, or failed: status $?"
  tar --create --gzip --directory build/benchmarks --file "$out/gpu-$1.tar.gz" .
  ;;
*) sed -n '2,9p' "$0" >&2 && exit 1 ;;
esac
