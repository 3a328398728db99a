import type { Health } from '../parts.js';
import { route, type Route } from '../route.js';
import { Liveness, ReadinessReport } from '../schemas/writing.js';

export function healthRoutes(health: Health): Route[] {
  return [
    route({
      method: 'get',
      path: '/healthz',
      name: 'liveness',
      tag: 'Operation',
      summary: 'Whether the process answers.',
      answers: { 200: { description: 'It does.', schema: Liveness } },
      errors: [],
      answer(call) {
        call.set('cache-control', 'no-store');
        call.body = { status: 'ok' };
      },
    }),
    route({
      method: 'get',
      path: '/readyz',
      name: 'readiness',
      tag: 'Operation',
      summary: 'Whether the service can do its work: the model really answered.',
      answers: {
        200: { description: 'It can.', schema: ReadinessReport },
        503: { description: 'It cannot now.', schema: ReadinessReport },
      },
      errors: [],
      async answer(call) {
        const readiness = await health.readiness();
        call.set('cache-control', 'no-store');
        call.status = readiness.ready ? 200 : 503;
        call.body = readiness;
      },
    }),
  ];
}
