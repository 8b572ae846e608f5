import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { Operation } from '../operations/define-operation.ts';
import { OPERATIONS } from '../operations/table.ts';
import { createOpenApiDocument } from './document.ts';

/*
 * What generators of clients need of the document, for all that is in it and all that is added. `tooling/generators` runs them.
 */

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly discriminator?: { readonly mapping: Readonly<Record<string, string>> };
}

interface Described {
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Answer & { readonly $ref?: string }>>;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Answer {
  readonly content?: Content;
}

interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

const document: ApiDocument = JSON.parse(JSON.stringify(createOpenApiDocument('http://127.0.0.1:8080')));
const { components } = document;
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
);

/** Every schema of the document, and every part of one, with its place. Examples are values, not schemas. */
function schemasIn(value: unknown, place: string): readonly (readonly [string, Part])[] {
  if (!isPart(value)) return [];
  const parts = Object.entries(value).filter(([key]) => key !== 'example' && key !== 'enum');
  return [[place, value], ...parts.flatMap(([key, part]) => schemasIn(part, `${place}/${key}`))];
}
type Part = Schema & Record<string, unknown>;
const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;

const schemas = [...schemasIn(components, 'components'), ...schemasIn(document.paths, 'paths')];

const typesOf = ({ type = [] }: Schema): readonly string[] => [type].flat();
const resolve = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
const places = (isWrong: (schema: Part) => boolean) =>
  schemas.filter(([, schema]) => isWrong(schema)).map(([place]) => place);

describe('the OpenAPI document has for generators', () => {
  test('values of an enum and their type, in place of constants', () => {
    expect(places((schema) => 'const' in schema)).toEqual([]);
    const typeOf = (value: unknown) => (value === null ? 'null' : typeof value === 'number' ? 'integer' : typeof value);
    const enums = schemas.filter(([, schema]) => Array.isArray(schema.enum));
    expect(enums.length).toBeGreaterThan(100);
    for (const [place, schema] of enums)
      for (const value of schema.enum ?? [])
        expect([place, value, typesOf(schema)]).toEqual([place, value, expect.arrayContaining([typeOf(value)])]);
    expect(places((schema) => Array.isArray(schema.enum) && typesOf(schema).includes('boolean'))).toEqual([]);
  });

  test('null among the types of a property, in place of a union', () => {
    expect(places(({ anyOf }) => Array.isArray(anyOf))).toEqual([]);
    const isOneOrNull = ({ oneOf = [] }: Schema) =>
      Array.isArray(oneOf) && oneOf.length === 2 && oneOf.some((form) => form.type === 'null' && !form.$ref);
    expect(places((schema) => isOneOrNull(schema) && !schema.oneOf?.some(({ $ref }) => $ref))).toEqual([]);
  });

  test('integers whose format says when they need more than 32 bits', () => {
    const isWide = ({ enum: values, maximum = Number.POSITIVE_INFINITY }: Schema) =>
      values === undefined && maximum > 2 ** 31 - 1;
    expect(
      places(
        (schema) => typesOf(schema).includes('integer') && isWide(schema) && !/^int(32|64)$/.test(schema.format ?? ''),
      ),
    ).toEqual([]);
    // The only fraction, and the values that are kept of another product's policies.
    const numbers = places((schema) => typesOf(schema).includes('number'));
    expect(numbers.filter((place) => !/\/properties\/progress$|\/additionalProperties\/oneOf\/1$/.test(place))).toEqual(
      [],
    );
  });

  test('no default but of a scalar', () => {
    const isNoScalar = (value: unknown) => value === null || typeof value === 'object';
    const found = places((schema) => 'default' in schema && isNoScalar(schema.default));
    expect(found.filter((place) => !place.endsWith('/responses'))).toEqual([]);
  });

  test('headers that are strings', () => {
    const headers = described.flatMap(([place, { parameters = [] }]) =>
      parameters.filter((parameter) => parameter.in === 'header').map((parameter) => ({ place, ...parameter })),
    );
    expect(headers.length).toBeGreaterThan(10);
    for (const { place, name, schema } of headers)
      expect([place, name, schema.type, schema.enum]).toEqual([place, name, 'string', undefined]);
  });

  test('one media type for each body', () => {
    for (const [place, { requestBody }] of described)
      if (requestBody) expect([place, Object.keys(requestBody.content).length]).toEqual([place, 1]);
  });

  test('names of schemas that no generator gives to what it makes of another one', () => {
    const names = Object.keys(components.schemas);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    const made = names.flatMap((name) => [`New${name}`, `New${name}WithDefaults`, `Nullable${name}`, `${name}OneOf`]);
    expect(names.filter((name) => made.includes(name))).toEqual([]);
  });

  test('a body of one shape for every refusal of an operation', () => {
    const error = { $ref: '#/components/schemas/Error' };
    for (const { path, method } of OPERATIONS)
      for (const [status, given] of Object.entries(document.paths[path]?.[method.toLowerCase()]?.responses ?? {})) {
        const { content } =
          given.$ref === undefined ? given : (components.responses[given.$ref.split('/').at(-1) ?? ''] ?? {});
        if (Number(status) >= 400)
          expect([path, status, content?.['application/json']?.schema]).toEqual([path, status, error]);
      }
  });

  test('every tag at the top, with a description', () => {
    const used = new Set(described.flatMap(([, { tags }]) => tags));
    expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
    for (const { name, description } of document.tags) expect([name, description.length > 10]).toEqual([name, true]);
  });

  test('unions whose forms can be told apart', () => {
    const unions = schemas.filter(([, { oneOf }]) => Array.isArray(oneOf));
    expect(unions.length).toBeGreaterThan(5);
    for (const [place, { oneOf = [], discriminator }] of unions) {
      if (discriminator !== undefined) {
        const targets = new Set(Object.values(discriminator.mapping));
        expect([place, [...targets]]).toEqual([place, oneOf.map(({ $ref }) => $ref)]);
      }
      if (LINES.includes(place)) continue;
      const objects = oneOf.map(resolve).filter((form) => typesOf(form).includes('object'));
      const others = oneOf.map(resolve).flatMap((form) => (objects.includes(form) ? [] : typesOf(form)));
      expect([place, new Set(others).size]).toEqual([place, oneOf.length - objects.length]);
      if (objects.length > 1)
        for (const form of objects) expect([place, isOnlyOne(form, objects)]).toEqual([place, true]);
    }
  });
});

/** Forms of a line differ by the value of a property. Few generators read that, but lines are texts to all of them. */
const LINES = ['AccessModelRecord', 'BatchResult', 'ExportedRecord', 'LoadRecord'].map(
  (name) => `components/schemas/${name}`,
);

/** Whether a form has a required property that no other form has. */
function isOnlyOne({ required = [] }: Schema, forms: readonly Schema[]): boolean {
  return required.some((name) => forms.filter(({ properties }) => properties?.[name] !== undefined).length === 1);
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** Every text of a body whose property its schema describes, as the path to it. */
function textsOf(given: Schema, value: unknown, path: readonly (string | number)[] = []): readonly Path[] {
  const schema = resolve(given);
  if (Array.isArray(value)) return schema.items ? textsOf(schema.items, value[0], [...path, 0]) : [];
  if (typeof value !== 'object' || value === null) return [];
  const form = schema.oneOf === undefined ? schema : resolve(schema.oneOf.find((each) => isValid(each, value)) ?? {});
  return Object.entries(form.properties ?? {}).flatMap(([name, property]) => {
    const own = [...path, name];
    const isText = typesOf(resolve(property)).includes('string') && property.enum === undefined;
    const isTextList = typesOf(property).includes('array') && property.items?.type === 'string' && !property.items.enum;
    if (isText) return [own];
    if (isTextList) return [[...own, 0]];
    return textsOf(property, Object(value)[name], own);
  });
}

type Path = readonly (string | number)[];
const isValid = (schema: Schema, value: unknown): boolean => ajv.compile({ ...schema, components })(value);

/** Copies a body with the empty text at a path. */
function withEmpty(value: unknown, [key = '', ...rest]: Path): unknown {
  const part = rest.length === 0 ? '' : withEmpty(Object(value)[key], rest);
  if (typeof key === 'number') return [part];
  return { ...Object(value), [key]: part };
}

const atText = (path: Path) =>
  path.map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${key}`)).join('');

const pause = () => Promise.resolve();

/** The texts that the service refuses when they are empty, although the document permits that. */
async function refusedInSilence({ body, path, method, example }: Operation): Promise<readonly string[]> {
  const content = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {};
  const [[mediaType, { schema }] = ['', { schema: {} }]] = Object.entries(content);
  if (body === null || body.schema === null) return [];
  const isLines = mediaType === 'application/x-ndjson';
  const name = /#\/components\/schemas\/(\w+)/.exec(Object(schema).description)?.[1] ?? '';
  const item = isLines ? (components.schemas[name] ?? {}) : schema;
  const refused: string[] = [];
  for (const given of isLines ? Object(example.body) : [example.body])
    for (const text of textsOf(item, given)) {
      const empty = withEmpty(given, text);
      const parsed = await body.parse(JSON.stringify(empty), pause);
      const isNamed = !parsed.ok && parsed.failure.causes.some(({ at }) => at.endsWith(atText(text)));
      if (isNamed && isValid(item, empty)) refused.push(atText(text));
    }
  return refused;
}

describe('the OpenAPI document has a least length of each text that must not be empty', () => {
  test.each(OPERATIONS.filter(({ body }) => body?.schema))('in the body of $id', async (operation) => {
    expect(await refusedInSilence(operation)).toEqual([]);
  });

  test('in queries', () => {
    for (const { path, method, query } of OPERATIONS)
      for (const [name, { parse, values, range }] of Object.entries(query)) {
        const parameters = document.paths[path]?.[method.toLowerCase()]?.parameters ?? [];
        const schema = parameters.find((parameter) => parameter.name === name)?.schema;
        if (values === undefined && range === undefined && !parse(new URLSearchParams({ [name]: '' })).ok)
          expect([path, name, schema?.minLength]).toEqual([path, name, 1]);
      }
  });
});
