import {
  OPERATION_RIGHTS,
  type OperationRights,
  PATCH_COPIED_NODES_MAX,
  PATCH_OPERATIONS_MAX,
  RESOURCE_ID_LENGTH_MAX,
  SCOPES,
} from '@access-admin/domain';
import {
  HEADER_BYTES_MAX,
  IMPORT_LINE_LENGTH_MAX,
  JSON_DEPTH_MAX,
  limitRows,
  PUBLISHED_LIMITS,
  SMALL_BODY_BYTES_MAX,
  URL_BYTES_MAX,
} from '../limits.ts';
import type { Operation } from '../operations/definition.ts';
import { PUBLIC_ENDPOINTS } from '../operations/public-endpoints.ts';
import { OPERATIONS } from '../operations/table.ts';
import { accessModelRecords } from '../schemas/access-model.ts';
import { jsonSchema } from '../validation/json-schema.ts';
import { parametersOf } from './parameters.ts';

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of the service, made from the operation table. */
export function createOpenApiDocument(baseAddress: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'access-admin',
      version: '0.0.0',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [server(baseAddress)],
    security: [{ oauth: [] }],
    paths: Object.fromEntries([...byPath()].map(([path, items]) => [path, Object.assign({}, ...items)])),
    components: {
      schemas: { Error: errorSchema, AccessModelRecord: recordSchema() },
      responses,
      securitySchemes: { oauth: securityScheme },
    },
  };
}

const DESCRIPTION = `Access administration: auth users, auth profiles, separation-of-duties checks and tenant UI metadata.

## Limits

| limit | most | answer beyond | setting |
|---|---|---|---|
${limitRows().join('\n')}`;

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
  for (const { id, method, path, summary } of PUBLIC_ENDPOINTS)
    add(path, {
      [method.toLowerCase()]: {
        operationId: id,
        tags: ['Service'],
        summary,
        security: [],
        ...(path === '/oauth/token' ? { requestBody: tokenRequest } : {}),
        responses: {
          200: { description: 'Success' },
          ...(path === '/oauth/token'
            ? { 413: { description: `The body has ${moreThan(SMALL_BODY_BYTES_MAX)}.` } }
            : {}),
          default: { description: 'Refusal' },
        },
      },
    });
  return paths;
}

function describe(operation: Operation): Json {
  const { scopes, capabilities, identitiesOnly }: OperationRights = OPERATION_RIGHTS[operation.id];
  const asIdentity = identitiesOnly === true ? 'Only as an identity, with' : 'As an identity also';
  return {
    operationId: operation.id,
    tags: [operation.group],
    summary: operation.summary,
    description: `Scope: ${scopes.join(' or ')}. ${asIdentity}: ${capabilities.join(' or ')}.`,
    'x-experimental': operation.experimental,
    security: [{ oauth: scopes }],
    parameters: parametersOf(operation),
    ...(operation.body === null ? {} : { requestBody: requestBody(operation.body) }),
    responses: responsesOf(operation),
  };
}

const requestBody = ({ mediaType, bytesMax, schema, isOptional = false }: NonNullable<Operation['body']>): Json => ({
  required: !isOptional,
  description: `At most ${bytesMax} bytes. ${LIMITS_OF_MEDIA[mediaType]}${isOptional ? ' Without a body, as `{}`.' : ''}`,
  content: { [mediaType]: { schema: schema === null ? schemaOfMedia[mediaType] : jsonSchema(schema, 'input') } },
});

const LIMITS_OF_MEDIA: Readonly<Record<NonNullable<Operation['body']>['mediaType'], string>> = {
  'application/json': `Arrays and objects nest at most ${JSON_DEPTH_MAX} deep.`,
  'application/json-patch+json': `At most ${PATCH_OPERATIONS_MAX} operations; arrays and objects nest at most ${JSON_DEPTH_MAX} deep, also in what becomes of the resource; copies create at most ${PATCH_COPIED_NODES_MAX} values.`,
  'application/x-ndjson': `A line has at most ${IMPORT_LINE_LENGTH_MAX} characters; arrays and objects nest at most ${JSON_DEPTH_MAX} deep.`,
};

const tokenRequest: Json = {
  required: true,
  description: `At most ${SMALL_BODY_BYTES_MAX} bytes.`,
  content: Object.fromEntries(
    ['application/x-www-form-urlencoded', 'multipart/form-data'].map((mediaType) => [
      mediaType,
      {
        schema: {
          type: 'object',
          required: ['grant_type'],
          properties: {
            grant_type: { const: 'client_credentials' },
            client_id: { type: 'string' },
            client_secret: { type: 'string' },
            scope: { type: 'string' },
          },
        },
      },
    ]),
  ),
};

function responsesOf({ response, body, experimental, list, errorStatuses }: Operation): Json {
  const { mediaType, schema } = response;
  // The schema of an NDJSON response is that of one line, which OpenAPI cannot express.
  const described = mediaType === 'application/json' && schema !== null ? { schema: jsonSchema(schema, 'output') } : {};
  const content = mediaType === null ? {} : { content: { [mediaType]: described } };
  const statuses = new Set([401, 403, 414, 429, 431, 500, 503, ...errorStatuses]);
  if (body !== null) for (const status of [400, 413, 415]) statuses.add(status);
  if (experimental || list) statuses.add(400);
  return {
    [response.status]: { description: 'Success', ...content },
    ...Object.fromEntries([...statuses].map((status) => [status, errorResponse(status, body?.bytesMax ?? 0)])),
  };
}

const moreThan = (bytesMax: number) => `more than ${bytesMax} bytes`;

function errorResponse(status: number, bytesMax: number): Json {
  if (status === 413) return { ...responses['Error'], description: `The body has ${moreThan(bytesMax)}.` };
  const own = { 414: 'UrlTooLong', 429: 'TooManyRequests', 431: 'HeadersTooLarge' }[status];
  return { $ref: `#/components/responses/${own ?? 'Error'}` };
}

const schemaOfMedia: Record<string, Json> = {
  'application/json-patch+json': {
    type: 'array',
    maxItems: PATCH_OPERATIONS_MAX,
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
  'application/x-ndjson': {
    type: 'string',
    description: 'One record a line: `#/components/schemas/AccessModelRecord`.',
  },
};

const errorMessage = { locale: { type: 'string' }, localeOrigin: { type: 'string' }, text: { type: 'string' } };

const errorSchema: Json = {
  type: 'object',
  required: ['detailCode', 'trackingId', 'messages', 'causes'],
  properties: {
    detailCode: { type: 'string' },
    trackingId: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    messages: {
      type: 'array',
      items: { type: 'object', required: Object.keys(errorMessage), properties: errorMessage },
    },
    causes: {
      type: 'array',
      items: {
        type: 'object',
        required: [...Object.keys(errorMessage), 'detailCode'],
        properties: { ...errorMessage, detailCode: { type: 'string' } },
      },
    },
  },
};

const inErrorShape: Json = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

const { rate, backlog } = PUBLISHED_LIMITS;

const responses: Readonly<Record<string, Json>> = {
  Error: { description: 'Refusal', content: inErrorShape },
  UrlTooLong: { description: `The request target has ${moreThan(URL_BYTES_MAX)}; without a body.` },
  HeadersTooLarge: {
    description: `The headers, with the target, have ${moreThan(HEADER_BYTES_MAX)}; without a body.`,
  },
  TooManyRequests: {
    description: `More than ${rate.most} of one client to one process (RATE_LIMIT), or, for a check, more than ${backlog.most} pending checks of the tenant.`,
    headers: {
      'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
    },
    content: inErrorShape,
  },
};

/** The forms of one line of an import. */
const recordSchema = (): Json => ({
  oneOf: [
    ...Object.values(accessModelRecords).map((schema) => jsonSchema(schema, 'input')),
    {
      type: 'object',
      required: ['kind', 'id', 'delete'],
      properties: {
        kind: { enum: Object.keys(accessModelRecords) },
        id: { type: 'string', minLength: 1, maxLength: RESOURCE_ID_LENGTH_MAX },
        delete: { const: true },
      },
    },
  ],
});
