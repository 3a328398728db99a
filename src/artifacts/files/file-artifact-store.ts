import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Artifact, ArtifactStore, ByteSpan, StoredArtifact } from '../artifact-store.js';
import { publish, removeFile, writeDurably } from './atomic-file.js';
import { damaged, isAbsent, notFound, readingError, writingError } from './faults.js';

const NAME = /^([0-9A-Za-z-]{2,64})\.([0-9a-f]{16})\.([0-9a-z]{1,8})$/;
/** Folder of what is being written. */
export const UNFINISHED = 'unfinished';

/**
 * Artifacts as files: `<directory>/<last two characters of the id>/<name>`. The end of a UUIDv7 is random, so the 256
 * folders fill evenly. What is being written lies in `<directory>/unfinished`, on the same file system, so that a
 * rename moves it.
 */
export class FileArtifactStore implements ArtifactStore {
  readonly #directory: string;
  #writes = 0;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Makes the directory, and removes what an earlier process left unfinished. Throws `storage_unavailable`. */
  static async open(directory: string): Promise<FileArtifactStore> {
    try {
      await rm(join(directory, UNFINISHED), { recursive: true, force: true });
      await mkdir(join(directory, UNFINISHED), { recursive: true });
    } catch (error) {
      throw writingError(error);
    }
    return new FileArtifactStore(directory);
  }

  async write(id: string, kind: string, bytes: AsyncIterable<Uint8Array>): Promise<StoredArtifact> {
    const partial = join(this.#directory, UNFINISHED, `${id}.${process.pid}.${(this.#writes += 1)}`);
    try {
      const { size, sha256 } = await writeDurably(partial, bytes);
      const name = `${id}.${sha256.slice(0, 16)}.${kind}`;
      await publish(partial, this.#path(name));
      return { name, size, sha256 };
    } catch (error) {
      await removeFile(partial).catch(() => undefined);
      throw writingError(error);
    }
  }

  async open(name: string, expected?: number): Promise<Artifact> {
    const file = await this.#reading(name, (path) => open(path, 'r'));
    try {
      const stat = await file.stat();
      if (!stat.isFile() || (expected !== undefined && stat.size !== expected)) throw damaged(name);
      const { size } = stat;
      const path = this.#path(name);
      return { size, etag: `"${hashOf(name)}"`, stream: (span) => streamOf(path, span) };
    } finally {
      await file.close();
    }
  }

  read(name: string): Promise<Buffer> {
    return this.#reading(name, (path) => readFile(path));
  }

  async remove(name: string): Promise<void> {
    if (!NAME.test(name)) return;
    await removeFile(this.#path(name)).catch((error: unknown) => {
      throw writingError(error);
    });
  }

  async removeAllOf(id: string, keep?: string): Promise<void> {
    const names = await readdir(join(this.#directory, shardOf(id))).catch((): string[] => []);
    const stale = names.filter((name) => name.startsWith(`${id}.`) && name !== keep);
    await Promise.all(stale.map((name) => this.remove(name)));
  }

  async #reading<T>(name: string, read: (path: string) => Promise<T>): Promise<T> {
    if (!NAME.test(name)) throw notFound(name);
    try {
      return await read(this.#path(name));
    } catch (error) {
      throw isAbsent(error) ? notFound(name) : readingError(error);
    }
  }

  /** Where a name lies. Throws when it is no name of ours, so that none leads out of the directory. */
  #path(name: string): string {
    const id = NAME.exec(name)?.[1];
    if (id === undefined) throw new TypeError(`"${name}" is not the name of an artifact.`);
    return join(this.#directory, shardOf(id), name);
  }
}

function shardOf(id: string): string {
  return id.slice(-2);
}

function hashOf(name: string): string {
  return NAME.exec(name)![2]!;
}

/** Few large reads instead of many small ones: most artifacts then take one. */
const READ_BYTES = 384 * 1024;

function streamOf(path: string, span: ByteSpan | undefined): Readable {
  return createReadStream(path, { ...span, highWaterMark: READ_BYTES });
}
