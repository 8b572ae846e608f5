import { OPERATION_RIGHTS, SCOPES } from '@access-admin/domain';
import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { OPERATIONS, type Operation, PUBLIC_ENDPOINTS } from './operations.ts';

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of the service, made from the operation table. */
export function createOpenApiDocument(baseAddress: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'access-admin',
      version: '1',
      description:
        'Access administration: auth users, auth profiles, separation-of-duties checks and tenant UI metadata. Bodies: at most 64 KiB (PATCH, PUT, clients), 256 KiB (predict, check), 16 MiB (import).',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [server(baseAddress)],
    security: [{ oauth: [] }],
    paths: Object.fromEntries([...byPath()].map(([path, items]) => [path, Object.assign({}, ...items)])),
    components: {
      schemas: { Error: errorSchema },
      responses: { Error: errorResponse },
      securitySchemes: { oauth: securityScheme },
    },
  };
}

const server = (baseAddress: string): Json =>
  baseAddress.includes('{tenant}')
    ? { url: baseAddress, variables: { tenant: { default: 'default', description: 'The tenant.' } } }
    : { url: baseAddress };

const securityScheme: Json = {
  type: 'oauth2',
  flows: {
    clientCredentials: { tokenUrl: '/oauth/token', scopes: Object.fromEntries(SCOPES.map((scope) => [scope, scope])) },
  },
};

function byPath(): Map<string, Json[]> {
  const paths = new Map<string, Json[]>();
  const add = (path: string, item: Json) => paths.set(path, [...(paths.get(path) ?? []), item]);
  for (const operation of OPERATIONS) add(operation.path, { [operation.method.toLowerCase()]: describe(operation) });
  for (const { method, path, summary } of PUBLIC_ENDPOINTS)
    add(path, {
      [method.toLowerCase()]: {
        tags: ['Service'],
        summary,
        security: [],
        responses: { 200: { description: 'Success' }, default: { description: 'Refusal' } },
      },
    });
  return paths;
}

function describe(operation: Operation): Json {
  const { scopes, capabilities } = OPERATION_RIGHTS[operation.id];
  return {
    operationId: operation.id,
    tags: [operation.group],
    summary: operation.summary,
    description: `Scope: ${scopes.join(' or ')}. As an identity also: ${capabilities.join(' or ')}.`,
    'x-experimental': operation.experimental,
    security: [{ oauth: scopes }],
    parameters: parametersOf(operation),
    ...(operation.body === null ? {} : { requestBody: requestBody(operation.body) }),
    responses: responsesOf(operation),
  };
}

const requestBody = ({ mediaType, bytesMax, schema }: NonNullable<Operation['body']>): Json => ({
  required: true,
  description: `At most ${bytesMax} bytes.`,
  content: { [mediaType]: { schema: schema === null ? schemaOfMedia[mediaType] : jsonSchema(schema, 'input') } },
});

function parametersOf({ path, experimental, list, etag, idempotencyKey, method }: Operation): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9:_.-]{1,128}$' },
  }));
  return [
    ...inPath,
    ...(experimental
      ? [header('X-Service-Experimental', true, { type: 'string', const: 'true', default: 'true' })]
      : []),
    ...(etag && method !== 'GET' ? [header('If-Match', false, { type: 'string' })] : []),
    ...(idempotencyKey ? [IDEMPOTENCY_KEY] : []),
    ...(path.endsWith('{requestId}') ? [header('Prefer', false, { type: 'string', examples: ['wait=30'] })] : []),
    ...(list ? LIST_PARAMETERS : []),
  ];
}

const header = (name: string, required: boolean, schema: Json): Json => ({ name, in: 'header', required, schema });

const IDEMPOTENCY_KEY: Json = {
  ...header('Idempotency-Key', false, { type: 'string', pattern: '^[!-~]{1,255}$' }),
  description: 'Requests of one client that are the same and have the same key are one check.',
};

const LIST_PARAMETERS: Json[] = [
  { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 250, default: 250 } },
  { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0, default: 0 } },
  { name: 'count', in: 'query', schema: { type: 'boolean', default: false } },
];

function responsesOf({ answer, body, experimental, list, refusals }: Operation): Json {
  const content =
    answer.mediaType === null
      ? {}
      : {
          content: {
            [answer.mediaType]: answer.schema === null ? {} : { schema: jsonSchema(answer.schema, 'output') },
          },
        };
  const refused = new Set([401, 403, 429, 500, 503, ...refusals]);
  if (body !== null) for (const status of [400, 413, 415]) refused.add(status);
  if (experimental || list) refused.add(400);
  return {
    [answer.status]: { description: 'Success', ...content },
    ...Object.fromEntries([...refused].map((status) => [status, { $ref: '#/components/responses/Error' }])),
  };
}

const schemaOfMedia: Record<string, Json> = {
  'application/json-patch+json': {
    type: 'array',
    maxItems: 100,
    items: {
      type: 'object',
      required: ['op', 'path'],
      properties: {
        op: { enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
        path: { type: 'string' },
        from: { type: 'string' },
        value: {},
      },
    },
  },
  'application/x-ndjson': { type: 'string', description: 'One record a line.' },
};

const errorSchema: Json = {
  type: 'object',
  required: ['detailCode', 'trackingId', 'messages', 'causes'],
  properties: {
    detailCode: { type: 'string' },
    trackingId: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    messages: {
      type: 'array',
      items: {
        type: 'object',
        required: ['locale', 'localeOrigin', 'text'],
        properties: { locale: { type: 'string' }, localeOrigin: { type: 'string' }, text: { type: 'string' } },
      },
    },
    causes: { type: 'array', items: { $ref: '#/components/schemas/Error' } },
  },
};

const errorResponse: Json = {
  description: 'Refusal',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** Rules that JSON Schema has no word for stay with the service. */
function jsonSchema(schema: GenericSchema, typeMode: 'input' | 'output'): Json {
  const { $schema: _, ...described } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode,
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema }) =>
      valibotSchema.type === 'custom' ? { type: 'object', additionalProperties: { type: 'string' } } : undefined,
  });
  return described;
}
