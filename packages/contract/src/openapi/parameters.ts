import { RESOURCE_ID_LENGTH_MAX } from '@access-admin/domain';
import { IDEMPOTENCY_KEY_LENGTH_MAX, PAGE_LIMIT_MAX, PAGE_OFFSET_MAX, PREFER_WAIT_SECONDS_MAX } from '../limits.ts';
import type { Operation, QueryParameter } from '../operations/definition.ts';

type Json = Readonly<Record<string, unknown>>;

/** The parameters of an operation as the OpenAPI document describes them. */
export function parametersOf(operation: Operation): Json[] {
  const { path, experimental, list, filters, sorters, query = [], includes, etag, idempotencyKey, method } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: `^[A-Za-z0-9:_.-]{1,${RESOURCE_ID_LENGTH_MAX}}$` },
  }));
  return [
    ...inPath,
    ...(experimental
      ? [header('X-Service-Experimental', true, { type: 'string', const: 'true', default: 'true' })]
      : []),
    ...(etag && method !== 'GET' ? [header('If-Match', false, { type: 'string' })] : []),
    ...(idempotencyKey ? [IDEMPOTENCY_KEY] : []),
    ...(path.endsWith('{requestId}') ? [PREFER] : []),
    ...(list ? LIST_PARAMETERS : []),
    ...(Object.keys(filters).length > 0 ? [filterParameter(filters)] : []),
    ...(sorters.length > 0 ? [sorterParameter(sorters)] : []),
    ...query.map(queryParameter),
    ...(includes.length > 0 ? [includeParameter(includes)] : []),
  ];
}

const header = (name: string, required: boolean, schema: Json): Json => ({ name, in: 'header', required, schema });

const IDEMPOTENCY_KEY: Json = {
  ...header('Idempotency-Key', false, { type: 'string', pattern: `^[!-~]{1,${IDEMPOTENCY_KEY_LENGTH_MAX}}$` }),
  description: 'Requests of one client that are the same and have the same key are one check.',
};

const PREFER: Json = {
  ...header('Prefer', false, { type: 'string', examples: [`wait=${PREFER_WAIT_SECONDS_MAX}`] }),
  description: `wait=N holds the answer until the result is there, for at most ${PREFER_WAIT_SECONDS_MAX} seconds.`,
};

const LIST_PARAMETERS: Json[] = [
  {
    name: 'limit',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: PAGE_LIMIT_MAX, default: PAGE_LIMIT_MAX },
  },
  { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0, maximum: PAGE_OFFSET_MAX, default: 0 } },
  { name: 'count', in: 'query', schema: { type: 'boolean', default: false } },
];

const filterParameter = (filters: Operation['filters']): Json => ({
  name: 'filters',
  in: 'query',
  schema: { type: 'string' },
  description: `Comparisons joined by and, with literals in double quotes: ${Object.entries(filters)
    .map(([field, { operators }]) => `${field} ${operators.join('|')}`)
    .join(', ')}.`,
});

const sorterParameter = (sorters: Operation['sorters']): Json => ({
  name: 'sorters',
  in: 'query',
  schema: { type: 'string' },
  description: `Joined by commas, with - before those that descend: ${sorters.join(', ')}.`,
});

const queryParameter = ({ name, values }: QueryParameter): Json => ({
  name,
  in: 'query',
  schema: { type: 'string', ...(values === undefined ? {} : { enum: values }) },
});

const includeParameter = (includes: Operation['includes']): Json => ({
  name: 'include',
  in: 'query',
  style: 'form',
  explode: false,
  schema: { type: 'array', items: { type: 'string', enum: includes }, minItems: 1, uniqueItems: true },
  description: 'Optional parts of the answer, or of the result of the check.',
});
