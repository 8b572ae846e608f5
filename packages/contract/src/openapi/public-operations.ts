import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import type { OperationGroup } from '../operations/groups.ts';
import { currentSession } from '../schemas/sessions.ts';
import { moreThan } from './error-responses.ts';
import { ANSWERS } from './examples.ts';
import { referTo } from './named-schemas.ts';
import type { PUBLIC_ENDPOINTS, PublicEndpointId } from './public-endpoints.ts';

type Json = Readonly<Record<string, unknown>>;

/** A public endpoint as the document describes it. */
export function publicOperation({ id, summary, description }: (typeof PUBLIC_ENDPOINTS)[number]): Json {
  const isToken = id === 'create-token';
  return {
    operationId: id,
    tags: ['Service' satisfies OperationGroup],
    summary,
    description,
    security: [],
    ...(isToken ? { requestBody: tokenRequest } : {}),
    responses: {
      200: { description: 'Success', ...contentOf(id) },
      ...(isToken ? { 413: { description: `The body has ${moreThan(SMALL_BODY_BYTES_MAX)}.` } } : {}),
      default: {
        description: 'Refusal',
        ...(isToken ? { content: { 'application/json': { schema: tokenRefusal } } } : {}),
      },
    },
  };
}

const TEXTS: Readonly<Partial<Record<PublicEndpointId, string>>> = {
  'get-metrics': 'text/plain',
  'get-docs': 'text/html',
};

function contentOf(id: PublicEndpointId): Json {
  const text = TEXTS[id];
  if (text !== undefined) return { content: { [text]: { schema: { type: 'string' } } } };
  const schema = SCHEMAS[id] ?? { type: 'object' };
  const example = ANSWERS[id];
  return { content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } } };
}

const tokenAnswer: Json = {
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in', 'scope'],
  properties: {
    access_token: { type: 'string', description: 'The token for `Authorization: Bearer`.' },
    token_type: { type: 'string', enum: ['Bearer'] },
    expires_in: { type: 'integer', format: 'int32', description: 'Seconds for which the token is valid.' },
    scope: { type: 'string', description: 'The scopes of the token, separated by spaces.' },
  },
};

/** An RFC 6749 error response. */
const tokenRefusal: Json = {
  type: 'object',
  required: ['error', 'error_description'],
  properties: {
    error: { type: 'string', description: 'A code of RFC 6749, such as `invalid_client`.' },
    error_description: { type: 'string' },
  },
};

const SCHEMAS: Readonly<Partial<Record<PublicEndpointId, Json>>> = {
  'create-token': tokenAnswer,
  'get-current-session': referTo(currentSession, 'output'),
};

const tokenForm: Json = {
  type: 'object',
  required: ['grant_type'],
  properties: {
    grant_type: { type: 'string', enum: ['client_credentials'], default: 'client_credentials' },
    client_id: { type: 'string' },
    client_secret: { type: 'string' },
    scope: { type: 'string', description: 'Scopes separated by spaces; all of the client if left out.' },
  },
};

const tokenRequest: Json = {
  required: true,
  description: `At most ${SMALL_BODY_BYTES_MAX} bytes. The same parts as \`multipart/form-data\` are accepted too.`,
  content: { 'application/x-www-form-urlencoded': { schema: tokenForm } },
};
