import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from '../paths.js';

interface VoiceJson {
  audio: { sample_rate: number };
  espeak: { voice: string };
  num_speakers: number;
  phoneme_id_map: Record<string, number[]>;
}

/**
 * A Piper voice as sherpa-onnx wants it: the same graph with metadata about the voice, and its symbols in a text file.
 * The weights and nodes are untouched: protobuf parsers merge what is appended to a message.
 */
export function prepareForSherpa(model: string): { model: string; tokens: string } {
  const graph = readFileSync(model);
  const voice = JSON.parse(readFileSync(`${model}.json`, 'utf8')) as VoiceJson;
  const folder = join(CACHE, 'peers', 'sherpa-voices', createHash('sha256').update(graph).digest('hex'));
  const files = { model: join(folder, 'model.onnx'), tokens: join(folder, 'tokens.txt') };
  if (existsSync(files.model)) return files;
  mkdirSync(folder, { recursive: true });
  writeFileSync(files.tokens, tokensOf(voice));
  writeFileSync(`${files.model}.partial`, Buffer.concat([graph, ...metadataOf(voice).map(metadataEntry)]));
  renameSync(`${files.model}.partial`, files.model);
  return files;
}

function tokensOf({ phoneme_id_map: map }: VoiceJson): string {
  return Object.entries(map)
    .map(([symbol, ids]) => `${symbol} ${ids[0]}\n`)
    .join('');
}

/** The keys that sherpa-onnx reads of a converted Piper voice. */
function metadataOf(voice: VoiceJson): [key: string, value: string][] {
  return [
    ['model_type', 'vits'],
    ['comment', 'piper'],
    ['language', 'English'],
    ['voice', voice.espeak.voice],
    ['has_espeak', '1'],
    ['n_speakers', String(voice.num_speakers)],
    ['sample_rate', String(voice.audio.sample_rate)],
  ];
}

const METADATA_PROPS = 14; // of ModelProto in onnx.proto; StringStringEntryProto has key = 1 and value = 2

function metadataEntry([key, value]: [string, string]): Buffer {
  return field(METADATA_PROPS, Buffer.concat([field(1, Buffer.from(key)), field(2, Buffer.from(value))]));
}

/** A length-delimited field of protobuf's wire format; all lengths here are below 128. */
function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of((number << 3) | 2, content.length), content]);
}
