import {
  type OperationRights,
  PATCH_COPIED_NODES_MAX,
  PATCH_OPERATIONS_MAX,
  PATCH_OPS,
  SCOPES,
} from '@access-admin/domain';
import manifest from '../../package.json' with { type: 'json' };
import { IMPORT_LINE_LENGTH_MAX, JSON_DEPTH_MAX } from '../limits.ts';
import type { Operation, RequestBody } from '../operations/define-operation.ts';
import { GROUPS } from '../operations/groups.ts';
import { OPERATIONS } from '../operations/table.ts';
import { errorResponse, sharedResponses } from './error-responses.ts';
import { ANSWERS } from './examples.ts';
import { createGuide } from './guide.ts';
import { namedSchemas, namesOf, referTo } from './named-schemas.ts';
import { parametersOf } from './parameters.ts';
import { PUBLIC_ENDPOINTS } from './public-endpoints.ts';
import { publicOperation } from './public-operations.ts';

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of the service, made from the operation table. */
export function createOpenApiDocument(baseAddress: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'access-admin',
      version: manifest.version,
      description: createGuide(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [server(baseAddress)],
    security: [{ oauth: [] }],
    tags: Object.entries(GROUPS).map(([name, text]) => ({ name, description: text })),
    paths: Object.fromEntries([...byPath()].map(([path, items]) => [path, Object.assign({}, ...items)])),
    components: {
      schemas: { ...namedSchemas(), Jsonpatchoperation: patchOperation },
      responses: sharedResponses,
      securitySchemes: { oauth: securityScheme },
    },
  };
}

const server = (baseAddress: string): Json =>
  baseAddress.includes('{tenant}')
    ? { url: baseAddress, variables: { tenant: { default: 'default', description: 'The tenant.' } } }
    : { url: baseAddress };

const scopeText = (scope: string) => {
  const [group = '', right] = scope.split(':');
  return `${right === 'manage' ? 'Read and change' : 'Read'}: ${group.replaceAll('-', ' ')}.`;
};

const securityScheme: Json = {
  type: 'oauth2',
  description: 'A client id and secret give a token for 15 minutes. `npm start` makes the first client.',
  flows: {
    clientCredentials: {
      tokenUrl: '/oauth/token',
      scopes: Object.fromEntries(SCOPES.map((scope) => [scope, scopeText(scope)])),
    },
  },
};

function byPath(): Map<string, Json[]> {
  const paths = new Map<string, Json[]>();
  const add = (path: string, item: Json) => paths.set(path, [...(paths.get(path) ?? []), item]);
  for (const operation of OPERATIONS) add(operation.path, { [operation.method.toLowerCase()]: describe(operation) });
  for (const endpoint of PUBLIC_ENDPOINTS)
    add(endpoint.path, { [endpoint.method.toLowerCase()]: publicOperation(endpoint) });
  return paths;
}

function describe(operation: Operation): Json {
  const { id, group, summary, description, rights, experimental, body, example } = operation;
  const { scopes, forOwn = 'SCOPE_ONLY' } = rights;
  const own = forOwn === 'SCOPE_ONLY' ? '' : ' An identity needs neither for its own.';
  return {
    operationId: id,
    tags: [group],
    summary,
    description: `${description}\n\nScope: ${scopes.join(' or ')}. ${callersOf(rights)}${own}`,
    'x-experimental': experimental,
    security: [{ oauth: scopes }],
    parameters: parametersOf(operation).map((parameter) => withExample(parameter, example)),
    ...(body === null ? {} : { requestBody: requestBody(body, example.body) }),
    responses: responsesOf(operation),
  };
}

/** Describes who may call an operation, besides the scope. */
function callersOf({ capabilities, identitiesOnly = false, applicationsOnly = false }: OperationRights): string {
  if (applicationsOnly) return 'Only as an application.';
  if (capabilities.length === 0) return identitiesOnly ? 'Only as an identity.' : 'An identity needs no capability.';
  const any = capabilities.join(' or ');
  return identitiesOnly ? `Only as an identity, with: ${any}.` : `As an identity also: ${any}.`;
}

/** Adds an example that works with the sample data. */
function withExample(parameter: Json, { path, query, headers }: Operation['example']): Json {
  const given: Readonly<Record<string, Json | undefined>> = { path, query, header: headers };
  const example = given[String(parameter['in'])]?.[String(parameter['name'])];
  return example === undefined ? parameter : { ...parameter, example };
}

function requestBody({ mediaType, bytesMax, schema, isOptional }: RequestBody, example: unknown): Json {
  const described =
    schema === null
      ? patch
      : mediaType === 'application/x-ndjson'
        ? linesOf(namesOf(schema, 'input'))
        : referTo(schema, 'input');
  return {
    required: !isOptional,
    description: `At most ${bytesMax} bytes. ${LIMITS_OF_MEDIA[mediaType]}${isOptional ? ' Without a body, as `{}`.' : ''}`,
    content: { [mediaType]: { schema: described, ...exampleOf(mediaType, example) } },
  };
}

/** A string, because OpenAPI cannot describe NDJSON. */
const linesOf = (names: readonly string[]): Json => ({
  type: 'string',
  description: `One JSON document a line: ${names.map((name) => `\`#/components/schemas/${name}\``).join(' or ')}.`,
});

function exampleOf(mediaType: string, example: unknown): Json {
  if (example === undefined) return {};
  const isLines = mediaType === 'application/x-ndjson' && Array.isArray(example);
  return { example: isLines ? example.map((line) => `${JSON.stringify(line)}\n`).join('') : example };
}

const LIMITS_OF_MEDIA: Readonly<Record<RequestBody['mediaType'], string>> = {
  'application/json': `Arrays and objects nest at most ${JSON_DEPTH_MAX} deep.`,
  'application/json-patch+json': `At most ${PATCH_OPERATIONS_MAX} operations; arrays and objects nest at most ${JSON_DEPTH_MAX} deep, also in what becomes of the resource; copies create at most ${PATCH_COPIED_NODES_MAX} values.`,
  'application/x-ndjson': `A line has at most ${IMPORT_LINE_LENGTH_MAX} characters; arrays and objects nest at most ${JSON_DEPTH_MAX} deep.`,
};

function responsesOf(operation: Operation): Json {
  const { response, body, experimental, list, cursor, errors, etag, method, isAuthzen } = operation;
  // Every route can answer 414 and 431, without a body, so the guide lists them once among the limits.
  const statuses = new Set([401, 403, 429, 500, 503, ...errors]);
  if (body !== null) for (const status of isAuthzen ? [400, 413] : [400, 413, 415]) statuses.add(status);
  if (experimental || list) statuses.add(400);
  const headers = {
    ...(etag && method !== 'DELETE' ? { ETag: ETAG } : {}),
    ...(list ? { Link: LINK, 'X-Total-Count': TOTAL_COUNT } : {}),
    ...(cursor ? { 'X-Total-Count-Is': TOTAL_COUNT_IS } : {}),
    ...Object.fromEntries(
      Object.entries(response.headers ?? {}).map(([name, description]) => [name, headerOf(description)]),
    ),
  };
  return {
    [response.status]: {
      description: response.status === 204 ? 'Done; without a body.' : 'Success',
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...contentOf(operation),
    },
    ...(response.emptyWhen === undefined ? {} : { 204: { description: response.emptyWhen } }),
    ...Object.fromEntries([...statuses].map((status) => [status, errorResponse(status, body?.bytesMax ?? 0)])),
  };
}

function contentOf({ id, response: { mediaType, schema, otherMediaTypes = [] } }: Operation): Json {
  if (mediaType === null || schema === null) return {};
  const lines = mediaType === 'application/x-ndjson' ? linesOf(namesOf(schema, 'output')) : null;
  return {
    content: {
      [mediaType]: { schema: lines ?? referTo(schema, 'output'), ...exampleOf(mediaType, ANSWERS[id]) },
      ...Object.fromEntries(otherMediaTypes.map((other) => [other, { schema: { type: 'string' } }])),
    },
  };
}

const headerOf = (description: string): Json => ({ description, schema: { type: 'string' } });
const ETAG = headerOf('The version of the resource, for `If-Match`.');
const LINK = headerOf('The address of the next page as `rel="next"`, where there is one.');
const TOTAL_COUNT = headerOf('The number of all rows, with `count=true`.');
const TOTAL_COUNT_IS = headerOf(
  'With `count=true`: `exact`, or `at-least` where a count beyond 10,000 has not been made to its end.',
);

const patch: Json = {
  type: 'array',
  maxItems: PATCH_OPERATIONS_MAX,
  items: { $ref: '#/components/schemas/Jsonpatchoperation' },
};

/** RFC 6902. */
const patchOperation: Json = {
  type: 'object',
  required: ['op', 'path'],
  properties: {
    op: { type: 'string', enum: PATCH_OPS },
    path: { type: 'string', description: 'A JSON Pointer (RFC 6901) to the property, such as `/capabilities`.' },
    from: { type: 'string', description: 'The JSON Pointer that `move` and `copy` read.' },
    value: { description: 'The value for `add`, `replace` and `test`.' },
  },
};
