import type { IncomingMessage } from 'node:http';
import type { Settings } from '../../config.js';
import { authenticate } from '../authenticate.js';
import type { AppParts, MetricsSource } from '../parts.js';
import { route, type Route } from '../route.js';

/** Headers that a request has which somebody passed on. */
const PASSED_ON = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];
const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

/** Prometheus' door: none where metrics are switched off. */
export function metricsRoutes(
  metrics: MetricsSource | undefined,
  accounts: AppParts['accounts'],
  { metrics: access }: Pick<Settings, 'metrics'>,
): Route[] {
  if (!metrics || access === 'off') return [];
  const needsKey = (request: IncomingMessage) =>
    access === 'key' || (access === 'local' && !isLocal(request));
  const checkKey = authenticate(accounts, 'admin');
  return [
    route({
      method: 'get',
      path: '/metrics',
      name: 'metrics',
      tag: 'Operation',
      summary: 'Counts and times for Prometheus.',
      description:
        'Depending on LANTANG_METRICS it needs a key with the scope admin: always, never, or (the default) unless the ' +
        'request comes from the service’s own machine.',
      answers: {
        200: { description: 'In Prometheus’ text format.', contentTypes: ['text/plain'] },
      },
      errors: ['auth_unauthorized', 'auth_invalid_api_key', 'forbidden'],
      async answer(call) {
        if (needsKey(call.req)) await checkKey(call, () => Promise.resolve());
        const text = await metrics.text();
        call.set('cache-control', 'no-store');
        call.set('content-type', metrics.contentType);
        call.body = text;
      },
    }),
  ];
}

/** From this machine, and not through a proxy on it that says so. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  return LOOPBACK.test(socket.remoteAddress ?? '') && !PASSED_ON.some((name) => headers[name] !== undefined);
}
