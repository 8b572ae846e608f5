import type { GenericSchema } from 'valibot';
import { CURSOR_LIST_OFFSET_MAX, PAGE_LIMIT_MAX, PAGE_OFFSET_MAX, PREFER_WAIT_SECONDS_MAX } from '../limits.ts';
import type { Operation } from '../operations/define-operation.ts';
import { pathId } from '../operations/path-parameters.ts';
import type { QueryParameter } from '../query/parse-query.ts';
import { idempotencyKey } from '../schemas/checks.ts';
import { jsonSchema } from '../validation/json-schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** The parameters of an operation as the OpenAPI document describes them. */
export function parametersOf(operation: Operation): Json[] {
  const { path, params, method, experimental, etag, confirmation, idempotencyKey, waits } = operation;
  const { list, filters, sorters, sort, cursor, query, includes } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParameter(name, params[name]));
  return [
    ...inPath,
    ...(experimental ? [EXPERIMENTAL] : []),
    ...(etag && method !== 'GET' ? [IF_MATCH] : []),
    ...(confirmation === null ? [] : [confirmationHeader(confirmation)]),
    ...(idempotencyKey ? [IDEMPOTENCY_KEY] : []),
    ...(waits ? [PREFER] : []),
    ...(list ? listParameters(cursor) : []),
    ...(Object.keys(filters).length > 0 ? [filterParameter(filters)] : []),
    ...(sorters.length > 0 ? [sorterParameter(sorters)] : []),
    ...(sort ? [SORT] : []),
    ...(cursor ? [CURSOR] : []),
    ...Object.entries(query).map(([name, parameter]) => queryParameter(name, parameter)),
    ...(includes.length > 0 ? [includeParameter(includes)] : []),
  ];
}

const queryText = (name: string, description: string): Json => ({ name, in: 'query', description, schema: FILLED });

/** An empty value is rejected. */
const FILLED: Json = { type: 'string', minLength: 1 };

const header = (name: string, required: boolean, schema: Json): Json => ({ name, in: 'header', required, schema });

const ID = pathId('The id of the resource.');

function pathParameter(name: string, parameter: GenericSchema = ID): Json {
  const { description, ...schema } = jsonSchema(parameter, 'output');
  return { name, in: 'path', required: true, description, schema };
}

const EXPERIMENTAL: Json = {
  ...header('X-Service-Experimental', true, { type: 'string', default: 'true' }),
  description: '`true` confirms that the caller knows that this operation may change.',
};

const IF_MATCH: Json = {
  ...header('If-Match', false, { type: 'string' }),
  description:
    'The `ETag` of the last read. If the resource has changed since then, the answer is 412 and nothing changes.',
};

const confirmationHeader = (name: string): Json => ({
  ...header(name, true, FILLED),
  description: 'The name or the id in the path once more: the request has no effect without it.',
});

const IDEMPOTENCY_KEY: Json = {
  ...header('Idempotency-Key', false, jsonSchema(idempotencyKey, 'input')),
  description: 'Requests of one client that are the same and have the same key are one check.',
};

const PREFER: Json = {
  ...header('Prefer', false, { type: 'string' }),
  description: `\`wait=10\` holds the answer until the result is there, for at most ${PREFER_WAIT_SECONDS_MAX} seconds.`,
};

const listParameters = (hasCursor: boolean): Json[] => [
  {
    name: 'limit',
    in: 'query',
    description: 'The largest number of rows in the answer.',
    schema: { type: 'integer', minimum: 1, maximum: PAGE_LIMIT_MAX, default: PAGE_LIMIT_MAX },
  },
  {
    name: 'offset',
    in: 'query',
    description: `The number of rows to leave out at the start.${hasCursor ? ' Pages beyond it begin at a `cursor`.' : ''}`,
    schema: { type: 'integer', minimum: 0, maximum: hasCursor ? CURSOR_LIST_OFFSET_MAX : PAGE_OFFSET_MAX, default: 0 },
  },
  {
    name: 'count',
    in: 'query',
    description:
      'Whether the header `X-Total-Count` has the number of all rows; of lists with cursors `X-Total-Count-Is` tells whether it is exact.',
    schema: { type: 'boolean', default: false },
  },
];

const SORT: Json = queryText('sort', 'Another name of `sorters`.');

const CURSOR: Json = queryText(
  'cursor',
  'Where a page begins, as the `Link` of the page before has it: no page is slower than the first.',
);

const filterParameter = (filters: Operation['filters']): Json => ({
  name: 'filters',
  in: 'query',
  schema: FILLED,
  description: `Comparisons joined by \`and\`, with literals in double quotes, as \`${exampleOf(filters)}\`. Fields and operators: ${Object.entries(
    filters,
  )
    .map(([field, { operators }]) => `${field} ${operators.join('|')}`)
    .join(', ')}.${partRule(filters)}`,
});

/** What `co` needs where an index serves it. */
function partRule(filters: Operation['filters']): string {
  const least = Object.values(filters).find(({ partLengthMin }) => partLengthMin !== undefined)?.partLengthMin;
  return least === undefined ? '' : ` co and sw ignore case; co needs at least ${least} characters.`;
}

const LITERALS: Readonly<Record<string, string>> = { instant: '"2026-11-21T09:30:00Z"', text: '"abc"' };

/** A comparison of the first field. */
export function exampleOf(filters: Operation['filters']): string {
  const [[field, { operators, kind, values }] = ['', { operators: ['eq'], kind: 'text', values: [] }]] =
    Object.entries(filters);
  const literal = values?.[0] === undefined ? LITERALS[kind] : `"${values[0]}"`;
  return `${field} ${operators[0]} ${literal}`;
}

const sorterParameter = (sorters: Operation['sorters']): Json => ({
  name: 'sorters',
  in: 'query',
  schema: FILLED,
  description: `Fields to sort by, joined by commas, with \`-\` before those that descend, as \`-${sorters[0]}\`. Fields: ${sorters.join(', ')}.`,
});

const queryParameter = (name: string, parameter: QueryParameter): Json => ({
  name,
  in: 'query',
  description: parameter.description,
  schema: schemaOf(name, parameter),
});

function schemaOf(name: string, { values, range, parse }: QueryParameter): Json {
  if (range !== undefined) return { type: 'integer', ...range };
  if (values !== undefined) return { type: 'string', enum: values };
  return parse(new URLSearchParams({ [name]: '' })).ok ? { type: 'string' } : FILLED;
}

const includeParameter = (includes: Operation['includes']): Json => ({
  name: 'include',
  in: 'query',
  style: 'form',
  explode: false,
  schema: { type: 'array', items: { type: 'string', enum: includes }, minItems: 1, uniqueItems: true },
  description: 'Optional parts of the answer, or of the result of the check.',
});
