import { expect, test } from 'vitest';
import { parseApiDocument } from './api-document.ts';

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const document = parseApiDocument({
  paths: {
    '/things/v1/{id}': {
      get: { parameters: [id], responses: { 200: { content: { 'application/json': { schema: { type: 'null' } } } } } },
      patch: {
        parameters: [id],
        requestBody: {
          description: 'At most 64 bytes.',
          content: { 'application/json': { schema: { type: 'array' } } },
        },
        responses: { 204: {}, 404: {} },
      },
    },
    '/open.json': { get: { security: [], responses: { 200: {}, default: {} } } },
  },
});

test('operations are read with their bodies, answers and whether they need a token', () => {
  const [get, patch, open] = document.operations;
  expect(get).toMatchObject({ method: 'GET', isPublic: false, body: null, hasDefault: false });
  expect(get?.answers.get(200)).toEqual({ mediaType: 'application/json', schema: { type: 'null' } });
  expect(patch?.body).toEqual({ mediaType: 'application/json', schema: { type: 'array' }, bytesMax: 64 });
  expect([...(patch?.answers.keys() ?? [])]).toEqual([204, 404]);
  expect(open).toMatchObject({ isPublic: true, hasDefault: true });
});

test.each([
  ['GET', '/things/v1/a', 'GET'],
  ['HEAD', '/things/v1/a?x=/y', 'GET'],
  ['PATCH', 'http://x/things/v1/%2f#z', 'PATCH'],
  ['DELETE', '/things/v1/a', null],
  ['GET', '/things/v1/', null],
  ['GET', '/things/v1/a/b', null],
  ['GET', '/openXjson', null],
])('%s %s reaches its operation', (method, target, reached) => {
  expect(document.find(method, target)?.method ?? null).toBe(reached);
});
