import type { Readable } from 'node:stream';

/** Bytes of an artifact, both ends inclusive, from 0. */
export interface ByteSpan {
  start: number;
  end: number;
}

/** What was stored, and under which name. */
export interface StoredArtifact {
  /** `<job id>.<first 16 hex digits of the SHA-256>.<kind>`; safe in paths and URLs. */
  name: string;
  /** Bytes. */
  size: number;
  /** SHA-256 of the bytes, hex. */
  sha256: string;
}

export interface Artifact {
  /** Bytes. */
  size: number;
  /** For HTTP, quotes included. It names the content, because the name does. */
  etag: string;
  stream: (span?: ByteSpan) => Readable;
}

/**
 * Where audio is kept. A name stands for one content for ever: it carries its hash.
 * Errors: `artifact_not_found`, `artifact_damaged`; `storage_full` and `storage_unavailable`, retryable.
 */
export interface ArtifactStore {
  /**
   * Takes all bytes, then puts them under their final name at once: nobody ever sees a part. When it resolves, the
   * artifact has reached the disk. When `bytes` throws, nothing stays and the error goes on to the caller.
   * @param id what it belongs to: letters, digits and dashes
   * @param kind what it is, for its name's ending: letters and digits
   */
  write(id: string, kind: string, bytes: AsyncIterable<Uint8Array>): Promise<StoredArtifact>;

  /** @param size bytes it must have, where the caller knows; else whatever is there is taken for whole */
  open(name: string, size?: number): Promise<Artifact>;
  read(name: string): Promise<Buffer>;

  /** Harmless when it is gone already. */
  remove(name: string): Promise<void>;
  /** Everything that was stored for `id`, but what is to be kept. */
  removeAllOf(id: string, keep?: string): Promise<void>;
}
