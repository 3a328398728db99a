import { LantangError, isLantangError, type JsonValue } from '../errors.js';
import { clipped } from './clipped.js';

/** What one code means over HTTP. */
interface ErrorRow {
  status: number;
  /** The sentence, where this folder raises the error itself; other rooms bring their own. */
  message?: (context: Record<string, JsonValue>) => string;
  /** Whether the same call may succeed later. Else the error itself says so. */
  retryable?: boolean;
  /** Seconds for `Retry-After` where the error gives none. */
  retryAfter?: number;
  /** The name callers know it by, where rooms below use another one. */
  publicCode?: string;
}

/** What a caller sent is said back no longer than this, wherever an error was raised. */
const LONGEST_ECHO = 255;
const LONGEST_MESSAGE = 2000;

/** Every code that a caller can meet, in one place. Anything else becomes `internal_server_error`. */
const ROWS = {
  bad_request: { status: 400, message: () => 'The request is not valid HTTP.' },
  host_missing: { status: 400, message: () => 'The request names no host: HTTP/1.1 wants a Host header.' },
  expectation_failed: {
    status: 417,
    message: () => 'The header Expect asks for what is not done here: only 100-continue is.',
  },
  auth_unauthorized: {
    status: 401,
    message: () => 'The request carries no API key: send it in the header x-api-key.',
  },
  auth_invalid_api_key: { status: 401, message: () => 'The API key is unknown, revoked or expired.' },
  forbidden: { status: 403, message: ({ scope }) => `The API key lacks the scope "${scope as string}".` },
  tts_model_not_found: {
    status: 400,
    message: ({ model }) => `There is no model "${model as string}": GET /v2/speech/tts/models lists them.`,
  },
  tts_request_no_text_data: {
    status: 400,
    message: () => 'request.text holds no text: it is absent, empty, or nothing but white space.',
  },
  tts_request_not_waitable: {
    status: 400,
    message: ({ length, maximum }) =>
      `The text has ${length as number} characters; with wait at most ${maximum as number} are allowed. Send it with wait false.`,
  },
  tts_request_too_large: {
    status: 400,
    message: ({ length, maximum }) =>
      `The text has ${length as number} characters; at most ${maximum as number} are allowed.`,
  },
  request_validation_error: { status: 422 },
  job_not_found: { status: 404, message: ({ job_id }) => `There is no job "${job_id as string}".` },
  job_not_complete: {
    status: 409,
    retryable: true,
    message: ({ status }) => `The job is ${status as string}: only a complete job has this.`,
  },
  job_cancellation_failure: { status: 403 },
  route_not_found: { status: 404, message: () => 'There is nothing at this path.' },
  method_not_allowed: {
    status: 405,
    message: ({ allowed }) => `This path answers ${(allowed as string[]).join(', ')} only.`,
  },
  artifact_not_found: { status: 404, publicCode: 'file_not_found' },
  file_not_found: { status: 404 },
  artifact_damaged: { status: 500, publicCode: 'file_damaged' },
  file_damaged: { status: 500 },
  signed_url_invalid: { status: 403 },
  signed_url_expired: { status: 410 },
  range_not_satisfiable: {
    status: 416,
    message: ({ size }) => `The range lies outside the file's ${size as number} bytes.`,
  },
  quota_empty: { status: 402 },
  quota_insufficient: { status: 402 },
  nothing_to_speak: { status: 400 },
  text_too_long: { status: 400 },
  voice_not_found: { status: 400, publicCode: 'tts_model_not_found' },
  request_timeout: { status: 408, message: () => 'The request was not sent whole in time.' },
  idempotency_conflict: { status: 409 },
  request_entity_too_large: {
    status: 413,
    message: ({ maximum }) => `The body is over the limit of ${maximum as number} bytes.`,
  },
  unsupported_media_type: {
    status: 415,
    message: () => 'The body must be JSON: send content-type: application/json.',
  },
  rate_limit_exceeded: {
    status: 429,
    retryable: true,
    message: () => 'Too many requests: wait, then try again.',
  },
  request_header_fields_too_large: { status: 431, message: () => 'The request header is too large.' },
  internal_server_error: {
    status: 500,
    message: () => 'The service failed to answer; the request id tells the operator which request it was.',
  },
  job_queue_unavailable: { status: 503, retryable: true, retryAfter: 5 },
  encoding_failed: { status: 503, retryable: true, retryAfter: 5 },
  ffmpeg_missing: { status: 503, retryable: true, retryAfter: 5, publicCode: 'service_not_ready' },
  pitch_unavailable: { status: 503, retryable: true, retryAfter: 5, publicCode: 'service_not_ready' },
  storage_full: { status: 503, retryable: true, retryAfter: 30, publicCode: 'storage_unavailable' },
  storage_unavailable: { status: 503, retryable: true, retryAfter: 5 },
  service_draining: { status: 503, retryable: true, retryAfter: 5 },
  service_not_ready: {
    status: 503,
    retryable: true,
    retryAfter: 5,
    message: () => 'The service is not ready yet.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ROWS;

const TABLE: Readonly<Record<string, ErrorRow>> = ROWS;

/** An error of the table, with its sentence made from the context. */
export function refusal(code: ErrorCode, context: Record<string, JsonValue> = {}): LantangError {
  const message = TABLE[code]!.message?.(context) ?? code;
  const shown = Object.keys(context).length > 0 ? { context } : {};
  return new LantangError(code, message, { ...shown, retryable: TABLE[code]!.retryable ?? false });
}

export function httpStatus(code: ErrorCode): number {
  return TABLE[code]!.status;
}

/** An error as callers see it. */
export interface PublicError {
  http: number;
  code: string;
  message: string;
  context: JsonValue | undefined;
  retryable: boolean;
  /** Whole seconds. */
  retryAfter: number | undefined;
}

/** Whatever was thrown, as callers may see it: what is not in the table tells nothing of itself. */
export function publicError(error: unknown): PublicError {
  if (!isLantangError(error)) return publicError(refusal('internal_server_error'));
  const row = Object.hasOwn(TABLE, error.code) ? TABLE[error.code]! : undefined;
  if (!row) return publicError(refusal('internal_server_error'));
  const retryable = row.retryable ?? error.retryable;
  const seconds = error.retryAfterSeconds ?? row.retryAfter;
  return {
    http: row.status,
    code: row.publicCode ?? error.code,
    message: clipped(error.message, LONGEST_MESSAGE),
    context: contextOf(error),
    retryable,
    retryAfter: retryable && seconds !== undefined ? Math.max(1, Math.ceil(seconds)) : undefined,
  };
}

/** The faults of a validation error are a list; every other context is an object. */
function contextOf(error: LantangError): JsonValue | undefined {
  if (error.code === 'request_validation_error') return error.context?.['faults'];
  return (
    error.context &&
    Object.fromEntries(Object.entries(error.context).map(([name, value]) => [name, echoed(value)]))
  );
}

function echoed(value: JsonValue): JsonValue {
  return typeof value === 'string' ? clipped(value, LONGEST_ECHO) : value;
}
