import { OPERATION_RIGHTS } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { createOpenApiDocument } from './openapi.ts';
import { OPERATIONS, PUBLIC_ENDPOINTS } from './operations.ts';

type Paths = Record<
  string,
  Record<string, { operationId?: string; responses: Record<string, unknown>; requestBody?: unknown }>
>;
const document = createOpenApiDocument('http://127.0.0.1:8080');
const paths = document['paths'] as Paths;

describe('the operation table', () => {
  test('has a row for every operation with rights, and no other', () => {
    expect(OPERATIONS.map(({ id }) => id).sort()).toEqual(Object.keys(OPERATION_RIGHTS).sort());
  });

  test('has the version segment right behind the group in every path', () => {
    for (const { path, id } of OPERATIONS) {
      expect(path).toMatch(/^\/[a-z-]+\/v1(\/|$)/);
      expect(id).toMatch(/-v1$/);
    }
  });
});

describe('the OpenAPI document', () => {
  test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))('describes %s', (id, operation) => {
    const described = paths[operation.path]?.[operation.method.toLowerCase()];
    expect(described?.operationId).toBe(id);
    expect(described?.responses).toHaveProperty(String(operation.answer.status));
    expect(described?.responses).toHaveProperty('401');
    expect(described?.requestBody === undefined).toBe(operation.body === null);
  });

  test.each(PUBLIC_ENDPOINTS)('describes $method $path', ({ method, path }) => {
    expect(paths[path]).toHaveProperty(method.toLowerCase());
  });

  test('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});
