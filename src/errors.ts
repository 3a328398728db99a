/** Values that survive JSON.stringify unchanged; what an error's context may hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

export interface ErrorDetails {
  /** Facts that help the reader act: what was expected, what came, where. Shown to callers: no paths, no internals. */
  context?: Record<string, JsonValue>;
  /** True when the same call may succeed later without being changed. */
  retryable?: boolean;
  /** A hint when to try again, in seconds; only with `retryable`. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/**
 * The project's one error type. `code` is stable (snake case) and is what programs compare; `message` is a full
 * sentence for a person and may be reworded at any time. What an error means over HTTP is decided in `src/http`.
 */
export class LantangError extends Error {
  override readonly name = 'LantangError';
  readonly code: string;
  readonly context: Record<string, JsonValue> | undefined;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.context = details.context;
    this.retryable = details.retryable ?? false;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

export function isLantangError(error: unknown, code?: string): error is LantangError {
  return error instanceof LantangError && (code === undefined || error.code === code);
}
