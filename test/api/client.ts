import { connect } from 'node:net';
import { OpenApiCheck } from './openapi-check.js';

export interface CallOptions {
  /** Absent: the client's own; null: none. */
  key?: string | null;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  bytes: Buffer;
  /** The body where it is JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers as their clients do
  json: any;
}

/** A program that uses the API over real sockets; every answer is held against the published OpenAPI document. */
export class ApiClient {
  readonly url: string;
  readonly key: string;
  readonly #check: OpenApiCheck;

  private constructor(url: string, key: string, check: OpenApiCheck) {
    this.url = url;
    this.key = key;
    this.#check = check;
  }

  static async of(url: string, key: string): Promise<ApiClient> {
    const document: unknown = await (await fetch(`${url}/openapi.json`)).json();
    return new ApiClient(url, key, new OpenApiCheck(document));
  }

  as(key: string): ApiClient {
    return new ApiClient(this.url, key, this.#check);
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<ApiAnswer> {
    const { key = this.key, body, raw, headers = {}, signal } = options;
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: {
        ...(key === null ? {} : { 'x-api-key': key }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { body: payload as string }),
      ...(signal && { signal }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const contentType = response.headers.get('content-type') ?? '';
    const json: unknown =
      contentType.startsWith('application/json') && bytes.length > 0
        ? JSON.parse(bytes.toString())
        : undefined;
    if (method !== 'HEAD') this.#check.check(method, path, response.status, contentType, json);
    return { status: response.status, headers: response.headers, bytes, json };
  }

  get(path: string, options?: CallOptions): Promise<ApiAnswer> {
    return this.call('GET', path, options);
  }

  delete(path: string, options?: CallOptions): Promise<ApiAnswer> {
    return this.call('DELETE', path, options);
  }

  post(path: string, body: unknown, options: CallOptions = {}): Promise<ApiAnswer> {
    return this.call('POST', path, { ...options, body });
  }

  submit(request: object, config: object = {}, options: CallOptions = {}): Promise<ApiAnswer> {
    return this.post('/v2/speech/tts', { config: { audio_format: 'wav', ...config }, request }, options);
  }

  /** Bytes straight onto a socket; the first answer, whole by its content-length, and then hangs up. */
  firstAnswer(bytes: string): Promise<string> {
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      let received = '';
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket.setEncoding('utf8').on('data', (piece: string) => {
        received += piece;
        const length = /\r\ncontent-length: (\d+)\r\n/i.exec(received)?.[1];
        const body = received.split('\r\n\r\n')[1];
        if (length === undefined || body === undefined || Buffer.byteLength(body) < Number(length)) return;
        socket.destroy();
        resolve(received);
      });
      socket.on('close', () => reject(new Error(`The server hung up after: ${received}`)));
      socket.on('error', reject);
    });
  }

  /** Bytes straight onto a socket; everything that comes back until the server hangs up. */
  exchange(bytes: string | Buffer): Promise<string> {
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      const received: Buffer[] = [];
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket.on('data', (piece: Buffer) => received.push(piece));
      socket.on('close', () => resolve(Buffer.concat(received).toString()));
      socket.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNRESET') reject(error);
      });
    });
  }
}
