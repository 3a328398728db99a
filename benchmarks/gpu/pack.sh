#!/usr/bin/env bash
# Packs what the GPU tests and benchmarks need on a machine that can fetch nothing, into build/gpu, in parts of which
# each stays below what one call may carry:
#
#   runtime/   ONNX Runtime's CUDA build for one GPU architecture (PACKER, else ../shared/gpu/pack_runtime.py)
#   app/       Node, and the clone as it is built, without what only building and serving need
#   voice/     en_US-joe-medium, where the cache has it
#
# Needs a built clone (npm run build), xz, strip and pip. `pack.sh app` packs one part again.
set -euo pipefail
cd "$(dirname "$0")/../.."
packer=${PACKER:-../shared/gpu/pack_runtime.py}
cache=${LANTANG_TEST_CACHE:-$HOME/.cache/lantang}
out=build/gpu
limit=$((60 * 1024 * 1024))

pack_runtime() {
  python3 "$packer" "$out/runtime"
  cp "$(dirname "$packer")/unpack.sh" "$out/runtime/"
}

pack_app() {
  git describe --always --dirty --exclude '*' >"$out/app/commit"
  strip -o "$out/app/node" "$(node -p process.execPath)"
  tar --create --directory . \
    --exclude='node_modules/onnxruntime-node/bin' --exclude='node_modules/typescript*' --exclude='node_modules/prettier' \
    --exclude='node_modules/*eslint*' --exclude='node_modules/better-sqlite3/deps' --exclude='node_modules/cmake-js' \
    --exclude='node_modules/@types' --exclude='node_modules/.cache' --exclude='node_modules/better-sqlite3/build' --exclude='*.map' \
    package.json .mocharc.json dist build/Release/lantang.node models/nadia.onnx models/nadia.onnx.json node_modules |
    xz -T2 -6 >"$out/app/app.tar.xz"
  xz -T2 -6 --force "$out/app/node"
}

pack_voice() {
  [ -f "$cache/en_US-joe-medium.onnx" ] || return 0
  tar --create --directory "$cache" en_US-joe-medium.onnx en_US-joe-medium.onnx.json | xz -T2 -6 >"$out/voice/voice.tar.xz"
}

for part in "${@:-runtime app voice}"; do
  for name in $part; do
    rm -rf "${out:?}/$name" && mkdir -p "$out/$name"
    "pack_$name"
    size=$(du -sb "$out/$name" | cut -f1)
    echo "$out/$name: $((size / 1024 / 1024)) MiB"
    [ "$size" -le "$limit" ] || { echo "$out/$name does not fit one call." >&2; exit 1; }
  done
done
