import {
  CAPABILITIES_MAX,
  isResourceId,
  LOAD_PARTS_MAX,
  PATCH_OPERATIONS_MAX,
  RESOURCE_ID_LENGTH_MAX,
  SOD_POLICY_ITEMS_MAX,
  SOD_POLICY_SIDES_MAX,
} from '@access-admin/domain';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import requests from '../../examples/requests.json' with { type: 'json' };
import * as limits from '../limits.ts';
import type { OperationExample } from '../operations/define-operation.ts';
import { LOADS } from '../operations/loads.ts';
import { REPORTS } from '../operations/reports.ts';
import { OPERATIONS } from '../operations/table.ts';
import { LOGO_LENGTH_MAX } from '../validation/logo.ts';
import { createOpenApiDocument } from './document.ts';
import { ANSWERS } from './examples.ts';
import { PUBLIC_ENDPOINTS } from './public-endpoints.ts';
import { limitRows } from './published-limits.ts';

interface Described {
  readonly operationId?: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: { readonly default?: unknown };
    readonly example?: unknown;
  }[];
  readonly responses: Record<string, unknown>;
  readonly requestBody?: unknown;
}
type Paths = Record<string, Record<string, Described>>;

interface Content {
  readonly place: string;
  readonly schema: { readonly description?: string };
  readonly example: unknown;
}

/** Everything in the document that has a schema and an example beside it. */
function contentsIn(value: unknown, place = ''): readonly Content[] {
  if (typeof value !== 'object' || value === null) return [];
  const { schema, example } = value as Partial<Content>;
  const own = schema !== undefined && example !== undefined ? [{ place, schema, example }] : [];
  return [...own, ...Object.entries(value).flatMap(([key, each]) => contentsIn(each, `${place}/${key}`))];
}

const document = createOpenApiDocument('http://127.0.0.1:8080');
const paths = document['paths'] as Paths;

describe('the operation table', () => {
  test('has the version behind the group in every path', () => {
    for (const { path, id } of OPERATIONS) {
      expect(path).toMatch(/^\/[a-z-]+\/v1(\/|$)/);
      expect(id).toMatch(/-v1$/);
    }
  });
});

describe('the OpenAPI document', () => {
  test('says which callers an operation has, without a list that is empty', () => {
    const descriptions = Object.values(paths).flatMap((items) => Object.values(items).map((item) => item.description));
    expect(descriptions.filter((text) => /: *\./.test(text ?? ''))).toEqual([]);
    expect(paths['/my-violations/v1']?.['get']?.description).toMatch(/\. Only as an identity\.$/);
    expect(paths['/violations/v1/{id}/controls']?.['post']?.description).toMatch(
      /\. Only as an identity, with: ORG_ADMIN or POLICY_ADMIN\.$/,
    );
    expect(paths['/violations/v1']?.['get']?.description).toContain('As an identity also: ORG_ADMIN or POLICY_ADMIN');
  });

  test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))('describes %s', (id, operation) => {
    const described = paths[operation.path]?.[operation.method.toLowerCase()];
    expect(described?.operationId).toBe(id);
    expect(described?.responses).toHaveProperty(String(operation.response.status));
    expect(described?.responses).toHaveProperty('401');
    expect(described?.requestBody === undefined).toBe(operation.body === null);
  });

  test.each(PUBLIC_ENDPOINTS)('describes $method $path', ({ method, path }) => {
    expect(paths[path]).toHaveProperty(method.toLowerCase());
  });

  test('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true });
  });

  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ at: `${method} ${path}`, ...operation })),
  );

  test('gives every operation an id of its own, and says what it and its parameters are for', () => {
    const ids = described.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(described.length);
    expect(ids).not.toContain(undefined);
    for (const { at: place, description = '', parameters = [] } of described) {
      expect(description.length, place).toBeGreaterThan(30);
      for (const { name, description: text = '' } of parameters)
        expect(text.length, `${place} ${name}`).toBeGreaterThan(15);
    }
  });

  test('names the schemas of bodies and answers, and has each of them', () => {
    const refs = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
    for (const name of refs) expect(at('components', 'schemas', name ?? '')).toBeDefined();
    expect(Object.keys(Object(at('components', 'schemas'))).filter((name) => !refs.includes(name))).toEqual([]);
  });

  test('says how to get a token before anything else, and the limits at the end', () => {
    const headings = [...String(at('info', 'description')).matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Get a token', 'Conventions', 'Limits']);
  });

  test.each(OPERATIONS)('has an example of $id', ({ id, example, body, response }) => {
    expect(ANSWERS[id] === undefined).toBe(response.schema === null);
    expect(example.body !== undefined).toBe(body !== null);
  });

  test('shows all that a request of an example has, and no example of another operation', () => {
    const columns = ['as', 'after', 'path', 'query', 'headers', 'body', 'varies'];
    for (const [id, { path = {}, query = {}, headers = {}, ...rest }] of Object.entries<OperationExample>(requests)) {
      const { parameters = [] } = described.find(({ operationId }) => operationId === id) ?? {};
      const shown = parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]]));
      expect([id, Object.fromEntries(shown)]).toEqual([id, { ...path, ...query, ...headers }]);
      expect(columns).toEqual(expect.arrayContaining(Object.keys(rest)));
      if (rest.after !== undefined) expect(requests).toHaveProperty(rest.after);
    }
  });

  test('shows an example of each header that a request must have', () => {
    for (const { at: place, parameters = [] } of described)
      for (const { name, in: where, required, schema, example } of parameters)
        if (where === 'header' && required) expect([place, name, example ?? schema.default]).not.toContain(undefined);
  });

  test('has examples that fit their schemas', () => {
    const ajv = new Ajv2020({ strictTypes: false, strictRequired: false, validateFormats: false });
    ajv.addVocabulary(['components', 'discriminator']);
    const contents = contentsIn(document);
    expect(contents.length).toBeGreaterThan(OPERATIONS.length);
    const schemas = contents.map(({ place, schema }) => {
      const lines = (schema.description ?? '').match(/#\/components\/schemas\/\w+/g) ?? [];
      return place.includes('/application/x-ndjson') ? { oneOf: lines.map(($ref) => ({ $ref })) } : schema;
    });
    // One schema for all: each component is compiled once.
    ajv.addSchema({ $id: 'document', components: document['components'], $defs: { ...schemas } });
    for (const [number, { place, example }] of contents.entries()) {
      const isLines = place.includes('/application/x-ndjson');
      const validate = ajv.getSchema(`document#/$defs/${number}`);
      if (validate === undefined) throw new Error(`no schema at ${place}`);
      const values = !isLines
        ? [example]
        : String(example)
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line));
      for (const value of values) expect([place, validate(value), validate.errors]).toEqual([place, true, null]);
    }
  });

  test('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });
});

/** The value at a path of member names in the document. */
const at = (...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((value, key) => followed((value as Record<string, unknown> | undefined)?.[key], key), document);

/** Follows a reference to a schema. */
function followed(value: unknown, key: string | number): unknown {
  const ref: unknown = key === 'responses' ? undefined : Object(value).$ref;
  const name = typeof ref === 'string' ? /^#\/components\/schemas\/(\w+)$/.exec(ref)?.[1] : undefined;
  return name === undefined ? value : at('components', 'schemas', name);
}

const body = (path: string, method: string, mediaType: string) =>
  ['paths', path, method, 'requestBody', 'content', mediaType, 'schema'] as const;
const idText = at('paths', '/controls/v1/{id}', 'get', 'parameters', 0, 'description');
const check = [...body('/sod-violations/v1/check', 'post', 'application/json'), 'properties'] as const;
const client = [...body('/oauth-clients/v1', 'post', 'application/json'), 'properties'] as const;
const uiMetadata = [...body('/ui-metadata/v1/tenant', 'put', 'application/json'), 'properties'] as const;
const metadata = [...check, 'clientMetadata'] as const;
const record = (kind: string) => ['components', 'schemas', `${kind}Record`, 'properties'] as const;
const policy = record('SodPolicy');

describe('the OpenAPI document states the limit of', () => {
  test.each<[string, readonly (string | number)[], number]>([
    ['access refs', [...check, 'accessRefs', 'maxItems'], limits.ACCESS_REFS_MAX],
    ['a name of a ref', ['components', 'schemas', 'RequestedAccess', 'properties', 'name', 'maxLength'], 256],
    ['metadata keys', [...metadata, 'maxProperties'], limits.METADATA_KEYS_MAX],
    ['a metadata key', [...metadata, 'propertyNames', 'maxLength'], limits.METADATA_KEY_LENGTH_MAX],
    ['a metadata value', [...metadata, 'additionalProperties', 'maxLength'], limits.METADATA_VALUE_LENGTH_MAX],
    [
      'patch operations',
      [...body('/auth-users/v1/{id}', 'patch', 'application/json-patch+json'), 'maxItems'],
      PATCH_OPERATIONS_MAX,
    ],
    ['labels', [...uiMetadata, 'usernameLabel', 'maxLength'], limits.UI_TEXT_LENGTH_MAX],
    ['placeholders', [...uiMetadata, 'usernameEmptyText', 'maxLength'], limits.UI_TEXT_LENGTH_MAX],
    ['the whitelist', [...uiMetadata, 'iFrameWhitelist', 'maxLength'], limits.EMBEDDING_ORIGINS_BYTES_MAX],
    [
      'a logo',
      [...body('/branding/v1/tenant', 'put', 'application/json'), 'properties', 'logo', 'maxLength'],
      LOGO_LENGTH_MAX,
    ],
    [
      'the URL of a webhook',
      [...body('/webhooks/v1', 'post', 'application/json'), 'properties', 'url', 'maxLength'],
      limits.WEBHOOK_URL_LENGTH_MAX,
    ],
    ['the name of a client', [...client, 'name', 'maxLength'], limits.NAME_LENGTH_MAX],
    ['the id of a record', [...record('Entitlement'), 'id', 'maxLength'], RESOURCE_ID_LENGTH_MAX],
    ['the name of a record', [...record('Entitlement'), 'name', 'maxLength'], limits.NAME_LENGTH_MAX],
    ['an attribute', [...record('Entitlement'), 'source', 'maxLength'], limits.ATTRIBUTE_LENGTH_MAX],
    ['capabilities', [...record('Identity'), 'capabilities', 'maxItems'], CAPABILITIES_MAX],
    [
      'an application id',
      [...record('IdentityProfile'), 'authProfile', 'properties', 'applicationId', 'maxLength'],
      limits.APPLICATION_ID_LENGTH_MAX,
    ],
    ['a description', [...policy, 'description', 'maxLength'], limits.TEXT_LENGTH_MAX],
    ['tags', [...policy, 'tags', 'maxItems'], limits.TAGS_MAX],
    [
      'items of a side',
      ['components', 'schemas', 'CriteriaSide', 'properties', 'criteriaList', 'maxItems'],
      SOD_POLICY_ITEMS_MAX,
    ],
    [
      'the least sides',
      ['components', 'schemas', 'KOfNCriteria', 'properties', 'atLeast', 'maximum'],
      SOD_POLICY_SIDES_MAX,
    ],
    ['sides', ['components', 'schemas', 'KOfNCriteria', 'properties', 'criteria', 'maxItems'], SOD_POLICY_SIDES_MAX],
    ['a page', ['paths', '/auth-profiles/v1', 'get', 'parameters', 1, 'schema', 'maximum'], limits.PAGE_LIMIT_MAX],
  ])('%s', (_, path, most) => {
    expect(at(...path)).toBe(most);
  });

  test.each(OPERATIONS.filter(({ body }) => body !== null))('the body of $id', ({ path, method, body: expected }) => {
    const operation = ['paths', path, method.toLowerCase()] as const;
    expect(at(...operation, 'requestBody', 'description')).toMatch(
      new RegExp(`^At most ${expected?.bytesMax} bytes\\..* ${limits.JSON_DEPTH_MAX} deep`),
    );
    expect(at(...operation, 'responses', 413, 'description')).toBe(
      `The body has more than ${expected?.bytesMax} bytes.`,
    );
    const example = [...operation, 'responses', 413, 'content', 'application/json', 'example'] as const;
    expect(at(...example, 'causes', 0, 'text')).toBe(limits.tooLargeText(expected?.bytesMax ?? 0));
  });

  test('every kind, in the table of its description', () => {
    for (const row of limitRows()) expect(at('info', 'description')).toContain(`\n${row}`);
  });

  test('the rate and the backlog, in the responses of every operation', () => {
    const ref = '#/components/responses/TooManyRequests';
    for (const { path, method } of OPERATIONS)
      expect(at('paths', path, method.toLowerCase(), 'responses', 429, '$ref')).toBe(ref);
    const description = at('components', 'responses', 'TooManyRequests', 'description');
    expect(description).toContain('1,000 in 10 s');
    expect(description).toContain('100,000 pending checks');
  });

  test('the target and the headers, among the limits of its description', () => {
    expect(at('info', 'description')).toMatch(/ \| 414 without a body \|/);
    expect(at('info', 'description')).toMatch(/ \| 431 without a body \|/);
  });
});

test('lists of the register say which instant they are of', () => {
  for (const path of ['/violations/v1', '/my-violations/v1', '/violations/v1/export'])
    expect(at('paths', path, 'get', 'responses', 200, 'headers', 'X-As-Of', 'description')).toContain('instant');
});

test('describes windows of access refs and assignments, and the instant of requests', () => {
  const instant = {
    type: ['string', 'null'],
    pattern: expect.stringContaining('T'),
    description: expect.stringContaining('instant'),
  };
  const identity = at(...record('Identity'), 'access', 'items');
  for (const described of [at(...check, 'accessRefs', 'items'), identity])
    expect(described).toMatchObject({ properties: { start: instant, end: instant }, required: ['type', 'id'] });
  expect(at(...check, 'at')).toMatchObject(instant);
});

test('describes ids, in bodies and in paths', () => {
  const { pattern, ...id } = Object(at(...record('Entitlement'), 'id'));
  expect(id).toEqual({ type: 'string', minLength: 1, maxLength: RESOURCE_ID_LENGTH_MAX });
  expect(at('paths', '/controls/v1/{id}', 'get', 'parameters', 0, 'schema')).toEqual({ ...id, pattern });
  const texts = ['', '.', '..', '...', '....', '.a', '..a', 'a.', 'a', 'A:_.-9', 'a/b', 'ä', 'a\n', '-', '.-.'];
  expect(texts.filter((text) => new RegExp(pattern).test(text))).toEqual(texts.filter(isResourceId));
});

test.each(OPERATIONS)('describes what the parameters in the path of $id are', ({ path, method, params }) => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect(Object.keys(params)).toEqual(names.filter((name) => name !== 'id'));
  const described = names.map((name, index) => [
    name,
    at('paths', path, method.toLowerCase(), 'parameters', index, 'description'),
  ]);
  expect(described.filter(([name, text]) => name !== 'id' && text === idText)).toEqual([]);
});

test('describes numbers in paths, and how another one is answered', () => {
  const part = ['paths', LOADS.putPart.path, 'put', 'parameters', 2] as const;
  expect(at(...part)).toMatchObject({ name: 'n', description: expect.stringMatching(/400/), example: 1 });
  expect(at(...part, 'schema')).toEqual({ type: 'integer', minimum: 1, maximum: LOAD_PARTS_MAX });
  const step = ['paths', REPORTS.handOver.path, 'post', 'parameters', 1] as const;
  expect(at(...step)).toMatchObject({ name: 'step', description: expect.stringMatching(/404/), example: 1 });
  expect(at(...step, 'schema')).toMatchObject({ type: 'integer', minimum: 1 });
});

test('describes lists that must not repeat an item', () => {
  const lists = [
    [...record('Identity'), 'capabilities'],
    [...client, 'scopes'],
    [...body('/webhooks/v1', 'post', 'application/json'), 'properties', 'types'],
  ];
  for (const list of lists) expect(at(...list, 'uniqueItems')).toBe(true);
});

test('describes the items of lists whose length is checked first', () => {
  expect(at(...check, 'accessRefs', 'items', 'required')).toEqual(['type', 'id']);
  expect(at(...client, 'scopes', 'items', 'enum')).toContain('auth-users:read');
});
