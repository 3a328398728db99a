import { readFile } from 'node:fs/promises';
import { OLDEST_DRIVER } from './cuda-wheels.mjs';
import { compareVersions } from './node-version.mjs';

/** The NVIDIA kernel driver's version, or undefined where none is loaded. */
export async function driverVersion() {
  const text = await readFile('/proc/driver/nvidia/version', 'utf8').catch(() => '');
  return /Kernel Module\b.*?\s(\d+(?:\.\d+)+)\s/.exec(text)?.[1];
}

/**
 * Why no CUDA session opens here, and what to do about it.
 * @param {{ code: string, message: string }} failure as the addon told it
 * @param {string | undefined} driver version of the kernel driver
 * @returns {string} sentences
 */
export function explainFailure({ code, message }, driver) {
  if (/libcuda\.so/.test(message)) {
    return driver === undefined
      ? `There is no NVIDIA driver: libcuda.so.1 is missing. Install driver ${OLDEST_DRIVER} or newer.`
      : `The NVIDIA driver ${driver} is loaded, but libcuda.so.1 is not visible here. A container must be started with its GPUs (docker run --gpus all).`;
  }
  if (isTooOld(message, driver)) {
    return `The NVIDIA driver${driver ? ` ${driver}` : ''} is too old: CUDA 13 needs ${OLDEST_DRIVER} or newer.`;
  }
  if (/no CUDA-capable device|CUDA failure 100\b/i.test(message)) {
    return 'The driver shows no GPU to this process: CUDA_VISIBLE_DEVICES or the container hides it.';
  }
  if (/no kernel image/i.test(message)) return 'The GPU is too old for this build of ONNX Runtime.';
  if (code === 'out_of_memory') {
    return `The GPU's memory ran out: other programs may be using it. (${message})`;
  }
  const library = /lib[\w.-]+\.so[\w.]*(?=: cannot open)/.exec(message)?.[0];
  if (library) return `The system's library ${library} is missing.`;
  return message;
}

function isTooOld(message, driver) {
  const behind = driver !== undefined && compareVersions(driver, OLDEST_DRIVER) < 0;
  return behind || /driver version is insufficient|CUDA failure 35\b|unsupported toolchain/i.test(message);
}
