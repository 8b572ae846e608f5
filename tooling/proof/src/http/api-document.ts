import type { Schema } from '../fuzz/json-schema.ts';

/** A parameter of a path, a query or a header. */
export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

/** What a body or an answer is; the schema is null where none is given. */
export interface ApiContent {
  readonly mediaType: string;
  readonly schema: Schema | null;
}

export interface ApiBody extends ApiContent {
  readonly bytesMax: number;
}

/** One operation as the service describes itself. */
export interface ApiOperation {
  /** In capitals. */
  readonly method: string;
  /** With `{name}` for the parameters. */
  readonly path: string;
  readonly isPublic: boolean;
  readonly parameters: readonly ApiParameter[];
  readonly body: ApiBody | null;
  /** By status; `default` is left out. Null for an answer of which nothing more is said. */
  readonly answers: ReadonlyMap<number, ApiContent | null>;
  /** Whether statuses that are not listed may come too. */
  readonly hasDefault: boolean;
}

/** What the fuzz follows: the operations of an OpenAPI document, and all of it for its references. */
export interface ApiDocument {
  readonly root: unknown;
  readonly operations: readonly ApiOperation[];
  /** The operation that a request reaches; HEAD reaches that of GET. Null for none. */
  find(method: string, target: string): ApiOperation | null;
}

export function parseApiDocument(root: unknown): ApiDocument {
  const operations = entriesOf(Object(root).paths).flatMap(([path, item]) =>
    entriesOf(item).map(([method, described]) => operationOf(method.toUpperCase(), path, Object(described))),
  );
  const patterns = operations.map((operation) => ({
    operation,
    // A parameter takes all that is no slash.
    pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return {
    root,
    operations,
    find: (method, target) => {
      const path = target.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
      const reached = method === 'HEAD' ? 'GET' : method;
      return patterns.find((each) => each.operation.method === reached && each.pattern.test(path))?.operation ?? null;
    },
  };
}

interface Described {
  readonly security?: readonly unknown[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly description?: string; readonly content?: unknown };
  readonly responses?: unknown;
}

function operationOf(method: string, path: string, described: Described): ApiOperation {
  const { parameters = [], requestBody, security } = described;
  const responses = entriesOf(described.responses);
  const body = contentOf(requestBody);
  const bytesMax = Number(/(\d+) bytes/.exec(requestBody?.description ?? '')?.[1] ?? 0);
  return {
    method,
    path,
    isPublic: security?.length === 0,
    parameters: parameters.map((each) => ({ ...each, required: each.required === true })),
    body: body === null ? null : { ...body, bytesMax },
    answers: new Map(
      responses
        .filter(([status]) => status !== 'default')
        .map(([status, answer]) => [Number(status), contentOf(answer)]),
    ),
    hasDefault: responses.some(([status]) => status === 'default'),
  };
}

function contentOf(described: unknown): ApiContent | null {
  const [first] = entriesOf(Object(described).content);
  return first === undefined ? null : { mediaType: first[0], schema: Object(first[1]).schema ?? null };
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] => Object.entries(Object(value));
