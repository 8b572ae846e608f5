import { defineOperation, type Operation, parseStrictJson } from '@access-admin/contract';
import { type Caller, fail, failure, type OperationRights, ok, type Source } from '@access-admin/domain';
import type { Handler } from 'hono';
import { hostAdmits } from '../../auth/base-address.ts';
import { hashStaticSecret, parseStaticToken } from '../../auth/static-token.ts';
import type { ApiEnv, RequestContext } from '../../env.ts';
import { callerOf } from '../../http/caller.ts';
import type { ApiFailure, Unauthenticated } from '../../http/problem.ts';
import { admit } from '../../middleware/admit.ts';
import { authenticate } from '../../middleware/authenticate.ts';
import { receiveBody } from '../../middleware/body.ts';
import type { Step } from '../../middleware/step.ts';
import { answerRequests } from '../../operations/route.ts';
import { refuseScim, type ScimFailure } from './errors.ts';

/** The rights to all that needs a token. */
const PROVISION: OperationRights = {
  scopes: ['scim:manage'],
  capabilities: [],
  resource: 'SOURCE',
  applicationsOnly: true,
};

export interface ScimDefinition {
  readonly id: string;
  readonly method: Operation['method'];
  /** Below the address of the source. */
  readonly path: string;
  /** The most bytes of the body; null without one. */
  readonly bytesMax: number | null;
}

/** What a request gives to its handler. */
export interface ScimInput {
  readonly caller: Caller;
  readonly source: Source;
  /** The id in the path; empty without one. */
  readonly id: string;
  /** Undefined without one. */
  readonly body: unknown;
}

export type ScimAnswer = Response | { readonly ok: false; readonly failure: ScimFailure };

export type ScimHandler = (c: RequestContext, input: ScimInput) => Promise<ScimAnswer>;

export const SCIM_ROOT = '/scim/v2/:source';

/** The route of an operation of SCIM. A request passes the steps of other operations; its errors are those of SCIM. */
export function scimRoute(
  { id, method, path, bytesMax }: ScimDefinition,
  handler: ScimHandler,
): [method: string, path: string, handler: Handler<ApiEnv>] {
  const operation = defineOperation({
    id,
    method,
    path: `/scim/v2/{source}${path}`,
    group: 'Service',
    summary: id,
    description: id,
    rights: PROVISION,
    response: { status: 200, mediaType: 'application/json', schema: null },
    keepsBody: true,
  });
  const ofBody = bytesMax === null ? [] : [refuseMediaType, receiveBody(jsonOf(bytesMax), authenticateScim)];
  const answer = answerRequests<Omit<ScimInput, 'source'>, ScimFailure>(operation, {
    steps: [authenticateScim, admit, ...ofBody],
    inputOf: (c) => ok({ caller: callerOf(c), id: c.req.param('id') ?? '', body: c.env.state.body }),
    handler: async (c, input) => {
      const source = await c.env.services.store.sources.find(input.caller.tenant, c.req.param('source') ?? '');
      return source === null ? NO_SOURCE : handler(c, { ...input, source });
    },
    refuse: refuseScim,
  });
  return [method, `${SCIM_ROOT}${path}`, answer];
}

const jsonOf = (bytesMax: number) => ({
  bytesMax,
  isOptional: false,
  parse: (text: string) => parseStrictJson(text),
});

const NO_SOURCE = fail(failure('NotFound', '', 'There is no such source.'));

const INVALID = (reason: string): Unauthenticated => ({
  type: 'Unauthenticated',
  causes: [],
  error: 'invalid_token',
  reason,
});

/** Admits a static token of the source in the path, and every caller that other operations admit. */
async function authenticateScim(c: RequestContext, operation: Operation): Promise<ApiFailure | null> {
  const [, bearer = ''] = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? [];
  const parsed = parseStaticToken(bearer);
  if (parsed === null) return authenticate(c, operation);
  const { store, system, config, noteUse } = c.env.services;
  const { clientId } = parsed;
  const client = await store.clients.findForToken(clientId);
  if (client === null) return INVALID('client gone');
  const { tenant, created: clientCreated } = client;
  if (!hostAdmits(config.baseAddress, tenant, c)) return INVALID('host of another tenant');
  const token = await store.bearerTokens.find(tenant, clientId, hashStaticSecret(parsed.secret));
  if (token === null) return INVALID('no such static token');
  if (token.source !== c.req.param('source')) return INVALID('static token of another source');
  if (Date.parse(token.expires) <= system.now().getTime()) return INVALID('static token expired');
  const calling = await store.clients.findCaller(tenant, clientId);
  if (calling === null || calling.capabilities === null) return INVALID('client gone');
  const { identityId, capabilities, isSessionBound } = calling;
  const scopes = new Set(PROVISION.scopes.filter((scope) => calling.scopes.has(scope)));
  noteUse(tenant, clientId);
  c.env.state.caller = { tenant, clientId, clientCreated, scopes, identityId, capabilities, isSessionBound };
  return null;
}

const MEDIA_TYPE = /^application\/(?:scim\+)?json\s*(?:;|$)/i;

const refuseMediaType: Step = (c) =>
  MEDIA_TYPE.test(c.req.header('content-type') ?? '') && c.req.header('content-encoding') === undefined
    ? null
    : OTHER_MEDIA_TYPE;

const OTHER_MEDIA_TYPE = {
  type: 'UnsupportedMediaType',
  causes: [
    {
      at: '',
      text: 'The Content-Type must be application/scim+json or application/json, without a Content-Encoding.',
    },
  ],
  acceptPatch: false,
} as const;
