import { randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type * as wavefile from 'wavefile';
import { LantangError } from '../errors.js';
import { drained } from './drained.js';
import type { Encoder } from './encoder.js';

const { WaveFile } = createRequire(import.meta.url)('wavefile') as typeof wavefile;

export interface PcmLayout {
  sampleRate: number;
  /** True: WAV. False: nothing but the samples. */
  header: boolean;
}

/** What both size fields hold where the length is not known: players then read to the end. */
const UNKNOWN = 0xffffffff;
/** Where the header of canonical PCM has its sizes, and how much of it the first one counts. */
const RIFF_SIZE_AT = 4;
const DATA_SIZE_AT = 40;
const COUNTED_HEADER = 36;

/** Of each sample rate, the header of a file without samples. */
const emptyHeaders = new Map<number, Buffer>();

function emptyHeader(sampleRate: number): Buffer {
  const known = emptyHeaders.get(sampleRate);
  if (known) return known;
  const file = new WaveFile();
  file.fromScratch(1, sampleRate, '16', []);
  const header = Buffer.from(file.toBuffer());
  emptyHeaders.set(sampleRate, header);
  return header;
}

/**
 * The header of a mono 16-bit WAV of `dataBytes`, or of one whose length is not known. wavefile writes it for a file
 * without samples and the two sizes are set afterwards: given the samples, it would take 3 ms of the main thread for
 * every second of audio, and all of it at once.
 */
export function wavHeader(sampleRate: number, dataBytes: number | undefined): Buffer {
  const header = Buffer.from(emptyHeader(sampleRate));
  header.writeUInt32LE(dataBytes === undefined ? UNKNOWN : dataBytes + COUNTED_HEADER, RIFF_SIZE_AT);
  header.writeUInt32LE(dataBytes ?? UNKNOWN, DATA_SIZE_AT);
  return header;
}

/** WAV or PCM whose bytes leave as the samples come. */
export class StreamedPcm implements Encoder {
  readonly frameSamples = 1;
  readonly bytes = new PassThrough();

  constructor({ sampleRate, header }: PcmLayout) {
    // Whoever reads is told by his own iterator; without one nobody needs to know.
    this.bytes.on('error', () => {});
    if (header) this.bytes.write(wavHeader(sampleRate, undefined));
  }

  async write(pcm: Buffer): Promise<void> {
    const room = this.bytes.destroyed || pcm.length === 0 || this.bytes.write(pcm);
    if (!room) await drained(this.bytes);
    if (this.bytes.destroyed && !this.bytes.readableEnded) throw aborted();
  }

  end(): void {
    this.bytes.end();
  }

  abort(): void {
    this.bytes.destroy(aborted());
  }
}

/** Bytes that a finished file may take in memory, 40 s at 48 kHz: a waiting caller's text needs no disk. */
export const MOST_IN_MEMORY = 4 * 1024 * 1024;

/**
 * WAV or PCM as a finished file: the samples wait until their number, which the header tells, is known; what is more
 * than `MOST_IN_MEMORY` waits in a scratch file. The file loses its name as soon as it is open, so nothing of it is
 * left however the process ends.
 */
export class FinishedPcm implements Encoder {
  readonly frameSamples = 1;
  readonly bytes = new PassThrough();
  #inMemory: Buffer[] = [];
  #inMemoryBytes = 0;
  #file: Promise<FileHandle> | undefined;
  #written: Promise<void> = Promise.resolve();
  #length = 0;

  constructor(
    private readonly layout: PcmLayout,
    private readonly scratchDirectory: string,
  ) {
    this.bytes.on('error', () => {});
    this.bytes.once('close', () => void this.#file?.then((file) => file.close()).catch(() => {}));
  }

  async write(pcm: Buffer): Promise<void> {
    if (this.bytes.destroyed) throw this.bytes.errored ?? aborted();
    this.#length += pcm.length;
    this.#inMemory.push(pcm);
    this.#inMemoryBytes += pcm.length;
    if (this.#inMemoryBytes <= MOST_IN_MEMORY) return;
    const spilled = Buffer.concat(this.#inMemory);
    this.#inMemory = [];
    this.#inMemoryBytes = 0;
    this.#written = this.#written.then(() => this.#append(spilled));
    await this.#written.catch((error: unknown) => Promise.reject(this.#fail(error)));
  }

  end(): void {
    this.#written.then(() => this.#send()).catch((error: unknown) => this.#fail(error));
  }

  abort(): void {
    this.#inMemory = [];
    this.bytes.destroy(aborted());
  }

  async #append(bytes: Buffer): Promise<void> {
    this.#file ??= openNameless(this.scratchDirectory);
    await (await this.#file).appendFile(bytes);
  }

  async #send(): Promise<void> {
    const header = this.layout.header ? [wavHeader(this.layout.sampleRate, this.#length)] : [];
    const file = await this.#file;
    // One chunk, as every one is a write to the disk that somebody waits for.
    if (!file) return void this.bytes.end(Buffer.concat([...header, ...this.#inMemory]));
    for (const bytes of header) this.bytes.write(bytes);
    const spilled = file.createReadStream({ start: 0, autoClose: false });
    await pipeline(spilled, this.bytes, { end: false });
    this.bytes.end(Buffer.concat(this.#inMemory));
  }

  /** The first reason stands. */
  #fail(cause: unknown): Error {
    if (!this.bytes.destroyed) this.bytes.destroy(scratchFailed(cause));
    return this.bytes.errored ?? aborted();
  }
}

async function openNameless(directory: string): Promise<FileHandle> {
  const path = join(directory, `${randomUUID()}.pcm`);
  const file = await open(path, 'wx+');
  await rm(path);
  return file;
}

function aborted(): LantangError {
  return new LantangError('aborted', 'The recording was aborted before it was complete.');
}

function scratchFailed(cause: unknown): LantangError {
  return new LantangError(
    'encoding_failed',
    'The audio could not be kept in the scratch directory while it was made. Its disk may be full.',
    { retryable: true, cause },
  );
}
