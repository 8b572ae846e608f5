import { createFindFault, type FindFault, type Schema } from './json-schema.ts';

/** A parameter of a path, a query or a header. */
export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

/** The content of a body or an answer; the schema, of a line if there are several, is null if none is given. */
export interface ApiContent {
  readonly mediaType: string;
  readonly schema: Schema | null;
}

/** One operation as the service describes it. */
export interface ApiOperation {
  /** The operation id; method and path if there is none. */
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  /** With `{name}` for the parameters. */
  readonly path: string;
  readonly isPublic: boolean;
  readonly isList: boolean;
  readonly parameters: readonly ApiParameter[];
  readonly body: (ApiContent & { readonly bytesMax: number }) | null;
  /** By status, without `default`. Null for an answer without described content. */
  readonly answers: ReadonlyMap<number, ApiContent | null>;
  /** Whether statuses that are not listed are possible too. */
  readonly hasDefault: boolean;
}

/** An OpenAPI document. */
export interface ApiDocument {
  readonly operations: readonly ApiOperation[];
  readonly findFault: FindFault;
  /** The operation that a request reaches; HEAD reaches that of GET. Null for none. */
  find(method: string, target: string): ApiOperation | null;
}

export async function readApiDocument(baseAddress: string): Promise<ApiDocument> {
  return parseApiDocument(await (await fetch(`${baseAddress}/openapi.json`)).json());
}

export function parseApiDocument(root: unknown): ApiDocument {
  const { paths, components = {} } = Object(root);
  const operations = entriesOf(paths).flatMap(([path, item]) =>
    entriesOf(item).map(([method, described]) =>
      operationOf({ method: method.toUpperCase(), path, schemas: Object(components.schemas), ...Object(described) }),
    ),
  );
  const patterns = operations.map((operation) => ({
    operation,
    // A path parameter matches all characters except a slash.
    pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return {
    operations,
    findFault: createFindFault(components),
    find: (method, target) => {
      const path = target.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
      const reached = method === 'HEAD' ? 'GET' : method;
      return patterns.find((each) => each.operation.method === reached && each.pattern.test(path))?.operation ?? null;
    },
  };
}

interface Described extends Pick<ApiOperation, 'method' | 'path'> {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly operationId?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly description?: string; readonly content?: unknown };
  readonly responses?: unknown;
}

function operationOf(described: Described): ApiOperation {
  const { method, path, schemas, operationId, parameters = [], requestBody, security } = described;
  const responses = entriesOf(described.responses);
  const body = contentOf(requestBody, schemas);
  const bytesMax = Number(/(\d+) bytes/.exec(requestBody?.description ?? '')?.[1] ?? 0);
  const listed = responses.filter(([status]) => status !== 'default');
  return {
    id: operationId ?? `${method} ${path}`,
    method,
    path,
    isPublic: security?.length === 0,
    isList: parameters.some(({ name }) => name === 'limit'),
    parameters: parameters.map((each) => ({ ...each, required: each.required === true })),
    body: body === null ? null : { ...body, bytesMax },
    answers: new Map(listed.map(([status, answer]) => [Number(status), contentOf(answer)])),
    hasDefault: listed.length < responses.length,
  };
}

function contentOf(described: unknown, schemas: Described['schemas'] = {}): ApiContent | null {
  const [first] = entriesOf(Object(described).content);
  if (first === undefined) return null;
  const { schema = null } = Object(first[1]);
  // OpenAPI cannot express lines: a description names the schema of one.
  const line = /#\/components\/schemas\/(\w+)/.exec(schema?.description ?? '')?.[1];
  const named = line === undefined ? schema : (schemas[line] ?? null);
  return { mediaType: first[0], schema: named === null ? null : (inlined(named, schemas) as Schema) };
}

/** The value with the named schemas in place of the references to them. */
function inlined(value: unknown, schemas: Described['schemas']): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inlined(item, schemas));
  const name = /^#\/components\/schemas\/(\w+)$/.exec(String(Object(value).$ref))?.[1];
  const target = name === undefined ? undefined : schemas[name];
  if (target !== undefined) return inlined(target, schemas);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inlined(each, schemas)]));
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] => Object.entries(Object(value));
