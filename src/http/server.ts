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
      requireHostHeader: false,
    },
    (request, response) => void answer(request, response),
  );
  // Listening to these keeps Node from answering them by itself: see check-framing.ts and read-body.ts.
  server.on('checkContinue', (request, response) => void answer(request, response));
  server.on('checkExpectation', (request, response) => void answer(request, response));
  server.timeout = (settings.syncWaitSeconds + IDLE_SECONDS) * 1000;
  server.on('clientError', (error, socket) => refuseConnection(codeOf(error), socket));
  server.on('connect', (_request, socket: Duplex) => refuseConnection('method_not_allowed', socket));
  return server;
}

/** Of all routes together. */
const METHODS = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'];

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'request_header_fields_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Nothing: the client is gone. */
function codeOf({ code = '' }: NodeJS.ErrnoException): ErrorCode | undefined {
  return code === 'ECONNRESET' ? undefined : (CODES[code] ?? 'bad_request');
}

/** Answers what never became a request of the app, in the same shape as every other error, and hangs up. */
function refuseConnection(code: ErrorCode | undefined, socket: Duplex): void {
  if (code === undefined || !socket.writable) {
    socket.destroy();
    return;
  }
  const shown = publicError(refusal(code, code === 'method_not_allowed' ? { allowed: METHODS } : {}));
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(shown, requestId));
  const head = [
    `HTTP/1.1 ${shown.http} ${STATUS_CODES[shown.http]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(shown.http === 405 ? [`allow: ${METHODS.join(', ')}`] : []),
    `x-request-id: ${requestId}`,
    'x-content-type-options: nosniff',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
