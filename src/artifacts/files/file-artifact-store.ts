import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Artifact, ArtifactStore, ByteSpan, StoredArtifact } from '../artifact-store.js';
import { release, removeFile, writeAtomically, type Written } from './atomic-file.js';
import { damaged, isAbsent, notFound, readingError, writingError } from './faults.js';

const ID = /^[0-9A-Za-z-]{2,64}$/;
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
    if (!ID.test(id)) throw new TypeError(`"${id}" is nothing that an artifact belongs to.`);
    const partial = join(this.#directory, UNFINISHED, `${id}.${process.pid}.${(this.#writes += 1)}`);
    try {
      const nameOf = ({ sha256 }: Written): string => `${id}.${sha256.slice(0, 16)}.${kind}`;
      const folder = join(this.#directory, shardOf(id));
      const written = await writeAtomically({ partial, folder, nameOf }, bytes);
      return { name: nameOf(written), ...written };
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
      const whole = { start: 0, end: size - 1 };
      return {
        size,
        etag: `"${hashOf(name)}"`,
        stream: (span = whole) => Readable.from(pieces(path, span), { objectMode: false }),
      };
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

/** The bytes of a file. What became shorter meanwhile fails, rather than to end as if it were whole. */
async function* pieces(path: string, { start, end }: ByteSpan): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  try {
    for (let at = start; at <= end;) {
      const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, end + 1 - at));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) throw damaged(basename(path));
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    release(file);
  }
}
