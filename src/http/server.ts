import { createServer, STATUS_CODES, type Server } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import type { Settings } from '../config.js';
import { errorBody } from './answer-errors.js';
import type { CallState } from './call.js';
import { publicError, refusal, type ErrorCode } from './error-table.js';

const HEADER_BYTES = 16 * 1024;
const LONGEST_HEADERS_SECONDS = 10;
/** Longest pause on a socket, in either direction, beyond the allotted time of a waiting submit. */
const IDLE_SECONDS = 60;

type ServerSettings = Pick<Settings, 'bodySeconds' | 'syncWaitSeconds'>;

/** The socket side of the app: bounded headers, and clients that send or take in too slowly are cut off. */
export function createHttpServer(app: Koa<CallState>, settings: ServerSettings): Server {
  const answer = app.callback();
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: Math.min(settings.bodySeconds, LONGEST_HEADERS_SECONDS) * 1000,
      requestTimeout: settings.bodySeconds * 1000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1000,
    },
    (request, response) => void answer(request, response),
  );
  server.timeout = (settings.syncWaitSeconds + IDLE_SECONDS) * 1000;
  server.on('clientError', refuseConnection);
  return server;
}

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'request_header_fields_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Answers what never became a request, in the same shape as every other error, and hangs up. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const shown = publicError(refusal(CODES[error.code ?? ''] ?? 'bad_request'));
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(shown, requestId));
  const head = [
    `HTTP/1.1 ${shown.http} ${STATUS_CODES[shown.http]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
