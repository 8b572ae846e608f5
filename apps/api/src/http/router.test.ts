import { expect, test } from 'vitest';
import { bareExchange } from '../../test/bare-exchange.ts';
import { createRouter } from './router.ts';

function openRouter(...routes: readonly (readonly [method: string, path: string])[]) {
  const router = createRouter();
  const names = new Map<unknown, string>();
  for (const [method, path] of routes) {
    const handler = () => ({ status: 204, headers: {}, body: null });
    names.set(handler, `${method} ${path}`);
    router.add(method, path, handler);
  }
  /** The route that is found, and the parameters that it sets. */
  return (method: string, target: string) => {
    const exchange = { ...bareExchange(method), target, params: {} };
    return [names.get(router.find(exchange)) ?? null, exchange.params];
  };
}

const ROUTES = [
  ['GET', '/policies/lint'],
  ['GET', '/policies/{id}'],
  ['DELETE', '/policies/{id}'],
  ['GET', '/policies'],
  ['POST', '/policies'],
  ['GET', '/policies/{id}/lines/{line}'],
] as const;

// Repeated, because the router caches the routes that it has found.
const TIMES = [1, 2, 3];

test.each([
  ['GET', '/policies', 'GET /policies', {}],
  ['HEAD', '/policies?limit=1', 'GET /policies', {}],
  ['POST', '/policies', 'POST /policies', {}],
  ['GET', 'http://host/policies', 'GET /policies', {}],
  ['GET', '/policies/lint', 'GET /policies/lint', {}],
  ['DELETE', '/policies/lint', 'DELETE /policies/{id}', { id: 'lint' }],
  ['GET', '/policies/a', 'GET /policies/{id}', { id: 'a' }],
  ['GET', '/policies/{id}', 'GET /policies/{id}', { id: '{id}' }],
  ['GET', '/policies/%61%2Fb', 'GET /policies/{id}', { id: 'a/b' }],
  ['GET', '/policies/%61%zz', 'GET /policies/{id}', { id: '%61%zz' }],
  ['GET', '/policies/a/lines/__proto__', 'GET /policies/{id}/lines/{line}', { id: 'a', line: '__proto__' }],
  ['PATCH', '/policies', null, {}],
  ['PROPFIND', '/policies', null, {}],
  ['GET', '/policies/', null, {}],
  ['GET', '//policies', null, {}],
  ['GET', '/%70olicies', null, {}],
  ['GET', '/constructor', null, {}],
])('%s %s is routed to %s', (method, target, route, params) => {
  const find = openRouter(...ROUTES);
  for (const other of ROUTES) find(other[0], other[1].replace('{id}', 'before').replace('{line}', '1'));
  for (const _ of TIMES) expect(find(method, target)).toEqual([route, params]);
});

test('of several routes that match, the one added first is taken', () => {
  const find = openRouter(['GET', '/policies/{id}'], ['GET', '/policies/lint']);
  for (const _ of TIMES) expect(find('GET', '/policies/lint')).toEqual(['GET /policies/{id}', { id: 'lint' }]);
});
