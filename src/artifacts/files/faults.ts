import { LantangError } from '../../errors.js';

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const UNAVAILABLE = new Set([
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOTDIR',
  'EISDIR',
  'ENODEV',
  'ESTALE',
  'ENOENT',
]);
const RETRY_AFTER_SECONDS = 10;

/** A failure to write becomes `storage_full` or `storage_unavailable`; what is no failure of the disk stays. */
export function writingError(error: unknown): unknown {
  const code = systemCode(error);
  if (code !== undefined && FULL.has(code))
    return storageError('storage_full', 'There is no room left for audio.', error);
  return readingError(error);
}

/** A failure to read that is not an absent file. */
export function readingError(error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined || !UNAVAILABLE.has(code)) return error;
  return storageError('storage_unavailable', 'The storage of audio does not answer.', error);
}

export function isAbsent(error: unknown): boolean {
  return systemCode(error) === 'ENOENT';
}

export function notFound(name: string): LantangError {
  return new LantangError('artifact_not_found', 'The audio is no longer stored: submit the text again.', {
    context: { artifact: name },
  });
}

export function damaged(name: string): LantangError {
  return new LantangError('artifact_damaged', 'The stored audio is damaged: submit the text again.', {
    context: { artifact: name },
  });
}

function systemCode(error: unknown): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined ? undefined : code;
}

function storageError(code: string, message: string, cause: unknown): LantangError {
  return new LantangError(code, message, { retryable: true, retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
