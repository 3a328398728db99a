import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { LantangError } from '../errors.js';

const FILE_NAMES: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'libonnxruntime.so.1',
  darwin: 'libonnxruntime.dylib',
  win32: 'onnxruntime.dll',
};

/**
 * Path of the ONNX Runtime library: the configured one, else the one in `cudaLibraries`, where that is asked for and
 * has been set up, else the CPU build inside the npm package onnxruntime-node. Throws `runtime_not_found`.
 */
export function runtimeLibrary(configured?: string, cudaLibraries?: string): string {
  if (configured !== undefined) return configured;
  const cudaBuild = cudaLibraries === undefined ? undefined : libraryIn(cudaLibraries);
  if (cudaBuild !== undefined) return cudaBuild;
  const name = FILE_NAMES[process.platform];
  const path = name && join(packageFolder(), 'bin', 'napi-v6', process.platform, process.arch, name);
  if (path && existsSync(path)) return path;
  throw new LantangError(
    'runtime_not_found',
    `The npm package onnxruntime-node has no library for ${process.platform} on ${process.arch}; LANTANG_ONNXRUNTIME may name one.`,
  );
}

/** The set-up puts the runtime there last: where it is, what it needs is. */
function libraryIn(folder: string): string | undefined {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const library = names.find((name) => /^libonnxruntime\.so\.[\d.]+$/.test(name));
  return library && resolve(folder, library);
}

function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'));
}
