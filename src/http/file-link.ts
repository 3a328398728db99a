import type { Settings } from '../config.js';
import type { Call } from './call.js';
import { signPath } from '../artifacts/signed-url.js';
import { downloadOf } from './download.js';
import type { SigningKeys } from './parts.js';

export const FILES_PATH = '/v2/speech/files';

/** Makes the absolute signed URL of an artifact, as the caller of `call` reaches this service. */
export function fileLinks(
  [key]: SigningKeys,
  settings: Pick<Settings, 'publicUrl' | 'signedUrlSeconds'>,
  now: () => number,
): (call: Call, artifact: string) => string {
  return (call, artifact) => {
    const path = `${FILES_PATH}/${encodeURIComponent(downloadOf(artifact).fileName)}`;
    const expires = Math.ceil(now() / 1000) + settings.signedUrlSeconds;
    return `${settings.publicUrl ?? requestBase(call)}${path}?${signPath(path, expires, key)}`;
  };
}

/** Scheme and host that the request named; the socket's own where the host is not one. */
function requestBase(call: Call): string {
  const base = `${call.protocol}://${call.host}`;
  if (URL.canParse(base) && /^[A-Za-z0-9.:[\]_-]+$/.test(call.host)) return base;
  const { localAddress = 'localhost', localPort } = call.req.socket;
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return `${call.protocol}://${host}:${localPort}`;
}
