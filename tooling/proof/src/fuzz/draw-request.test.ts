import { expect, test } from 'vitest';
import { createRandom } from '../campaign/random.ts';
import { parseApiDocument } from '../http/api-document.ts';
import type { Schema } from '../http/json-schema.ts';
import { drawJson } from './draw-json.ts';
import { bytesOf, drawRequest } from './draw-request.ts';

const schema: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    level: { enum: ['LOW', 'HIGH'] },
    sizes: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 3 }, minItems: 1, maxItems: 2 },
    note: { anyOf: [{ type: 'null' }, { const: 'x' }] },
    since: { type: 'string', pattern: '^\\d{4}-' },
    more: { type: 'object', additionalProperties: { type: 'boolean' } },
  },
  required: ['name', 'sizes'],
  additionalProperties: false,
};
const document = parseApiDocument({
  paths: {
    '/things/v1/{id}': {
      put: {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'X-On', in: 'header', required: true, schema: { const: 'true' } },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 9 } },
        ],
        requestBody: { description: 'At most 64 bytes.', content: { 'application/json': { schema } } },
        responses: {},
      },
    },
  },
});
const caller = { name: 'caller', authorization: () => 'Bearer x', isPowerless: false, canary: null };
const draw = (seed: number, count: number) => {
  const source = {
    random: createRandom(seed),
    document,
    callers: [caller],
    known: { '/things/v1/{id}': ['a/b'] },
  };
  return Array.from({ length: count }, () => bytesOf(drawRequest(source)).toString('latin1'));
};

test('drawn values match their schema', () => {
  const random = createRandom(1);
  for (let at = 0; at < 500; at++)
    expect(document.findFault(drawJson(schema, { random, known: {} }), schema)).toBeNull();
});

test('known values of a name are drawn; inherited names have none', () => {
  const source = { random: createRandom(1), known: { name: ['known'] } };
  expect(Array.from({ length: 20 }, () => drawJson({ type: 'string' }, source, 'name'))).toContain('known');
  expect(drawJson({ type: 'null' }, source, 'constructor')).toBeNull();
});

test('the same seed draws the same requests, another seed draws others', () => {
  expect(draw(1, 50)).toEqual(draw(1, 50));
  expect(draw(1, 50)).not.toEqual(draw(2, 50));
});

test('some requests match the document, with encoded parameters and a correct length', () => {
  const good = draw(1, 200).filter((request) => /^PUT \/things\/v1\/a%2Fb(\?limit=\d)? HTTP\/1\.1\r\n/.test(request));
  expect(good.length).toBeGreaterThan(20);
  for (const request of good) {
    const [head = '', ...body] = request.split('\r\n\r\n');
    const length = /^Content-Length: (\d+)$/m.exec(head)?.[1];
    if (length !== undefined) expect(Number(length)).toBe(body.join('\r\n\r\n').length);
  }
});
