import { Gauge, Histogram, type Registry } from 'prom-client';

/** A request whose answer has left, or whose client has. */
export interface AnsweredRequest {
  method: string;
  /** The path of the route as it is documented, with its parameters' names; absent where none matched. */
  route: string | undefined;
  /** Absent where the client left before an answer began. */
  status: number | undefined;
  seconds: number;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** From an answer out of the table to a text of thousands of characters. */
const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What HTTP clients see. Every label has few values, whatever clients send. */
export class RequestMetrics {
  readonly #durations: Histogram<'method' | 'route' | 'status'>;
  readonly #inFlight: Gauge;

  constructor(registry: Registry) {
    this.#durations = new Histogram({
      name: 'lantang_http_request_duration_seconds',
      help: 'Seconds from a request to the end of its answer, by method, route and status; the count is of requests.',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers: [registry],
    });
    this.#inFlight = new Gauge({
      name: 'lantang_http_requests_in_flight',
      help: 'Requests that are being answered.',
      registers: [registry],
    });
  }

  began(): void {
    this.#inFlight.inc();
  }

  answered({ method, route = 'none', status, seconds }: AnsweredRequest): void {
    this.#inFlight.dec();
    const labels = {
      method: METHODS.has(method) ? method : 'other',
      route,
      status: status === undefined ? 'none' : String(status),
    };
    this.#durations.observe(labels, seconds);
  }
}
