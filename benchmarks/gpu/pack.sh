#!/usr/bin/env bash
# Packs what the GPU tests and benchmarks need on a machine that can fetch nothing, into pieces build/gpu/PART.NN. Each
# fits one call of 64 MiB beside the working tree, which travels with it.
#
#   runtime   ONNX Runtime's CUDA build for one GPU architecture (PACKER, else ../shared/gpu/pack_runtime.py)
#   app       Node, and the clone as it is built, without what only building and serving need
#   voice     en_US-joe-medium, where the cache has it
#
# Needs a built clone (npm run build), xz, strip and pip. `pack.sh app` packs one part again.
set -euo pipefail
cd "$(dirname "$0")/../.."
packer=${PACKER:-../shared/gpu/pack_runtime.py}
cache=${LANTANG_TEST_CACHE:-$HOME/.cache/lantang}
out=build/gpu
piece=46M

pack_runtime() {
  python3 "$packer" "$1"
  cp "$(dirname "$packer")/unpack.sh" "$1/"
}

pack_app() {
  git describe --always --dirty --exclude '*' >"$1/commit"
  strip -o "$1/node" "$(node -p process.execPath)"
  tar --create --directory . \
    --exclude='node_modules/onnxruntime-node/bin' --exclude='node_modules/typescript*' --exclude='node_modules/prettier' \
    --exclude='node_modules/*eslint*' --exclude='node_modules/better-sqlite3/deps' --exclude='node_modules/cmake-js' \
    --exclude='node_modules/@types' --exclude='node_modules/.cache' --exclude='node_modules/better-sqlite3/build' --exclude='*.map' \
    package.json .mocharc.json dist build/Release/lantang.node models/english.onnx models/english.onnx.json node_modules |
    xz -T2 -6 >"$1/app.tar.xz"
  xz -T2 -6 "$1/node"
}

pack_voice() {
  [ -f "$cache/en_US-joe-medium.onnx" ] || return 0
  tar --create --directory "$cache" en_US-joe-medium.onnx en_US-joe-medium.onnx.json | xz -T2 -6 >"$1/voice.tar.xz"
}

[ $# -gt 0 ] || set -- runtime app voice
for part in "$@"; do
  rm -rf "$out/$part" "$out/$part".[0-9]* && mkdir -p "$out/$part"
  "pack_$part" "$out/$part"
  tar --create --directory "$out" "$part" | split --bytes="$piece" --numeric-suffixes - "$out/$part."
done
ls -l "$out"/*.[0-9]*
