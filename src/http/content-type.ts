import { extname } from 'node:path';
import type { AudioFormatName } from '../audio/format.js';

const TYPES: Record<AudioFormatName, [extension: string, contentType: string]> = {
  opus: ['.webm', 'audio/webm'],
  mp3: ['.mp3', 'audio/mpeg'],
  wav: ['.wav', 'audio/wav'],
  ogg: ['.ogg', 'audio/ogg'],
  flac: ['.flac', 'audio/flac'],
  aac: ['.m4a', 'audio/mp4'],
  pcm: ['.pcm', 'audio/pcm'],
};

export function contentTypeOfFormat(name: AudioFormatName): string {
  return TYPES[name][1];
}

/** By the extension of an artifact's name. */
export function contentTypeOf(artifact: string): string {
  const extension = extname(artifact);
  return Object.values(TYPES).find((row) => row[0] === extension)?.[1] ?? 'application/octet-stream';
}
