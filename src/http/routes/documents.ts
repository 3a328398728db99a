import { docsPage } from '../docs-page.js';
import { openApiDocument } from '../openapi.js';
import { route, type Route } from '../route.js';

/** The description of all other routes, for programs and for people. Both are written once, at the start. */
export function documentRoutes(routes: Route[]): Route[] {
  const document = openApiDocument(routes);
  const json = JSON.stringify(document);
  const page = docsPage(document);
  return [
    route({
      method: 'get',
      path: '/openapi.json',
      name: 'openApi',
      tag: 'Operation',
      summary: 'This interface as an OpenAPI 3.1 document.',
      answers: { 200: { description: 'The document.', contentTypes: ['application/json'] } },
      errors: [],
      answer(call) {
        call.type = 'application/json';
        call.body = json;
      },
    }),
    route({
      method: 'get',
      path: '/docs',
      name: 'docs',
      tag: 'Operation',
      summary: 'This interface as a page to read.',
      answers: { 200: { description: 'The page.', contentTypes: ['text/html'] } },
      errors: [],
      answer(call) {
        call.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
        call.type = 'text/html; charset=utf-8';
        call.body = page;
      },
    }),
  ];
}
