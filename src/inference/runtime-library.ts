import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { LantangError } from '../errors.js';

const FILE_NAMES: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'libonnxruntime.so.1',
  darwin: 'libonnxruntime.dylib',
  win32: 'onnxruntime.dll',
};

/**
 * Path of the ONNX Runtime library: the configured one, else the CPU build inside the npm package onnxruntime-node.
 * Throws `runtime_not_found`.
 */
export function runtimeLibrary(configured?: string): string {
  if (configured !== undefined) return configured;
  const name = FILE_NAMES[process.platform];
  const path = name && join(packageFolder(), 'bin', 'napi-v6', process.platform, process.arch, name);
  if (path && existsSync(path)) return path;
  throw new LantangError(
    'runtime_not_found',
    `The npm package onnxruntime-node has no library for ${process.platform} on ${process.arch}; LANTANG_ONNXRUNTIME may name one.`,
  );
}

function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'));
}
