import { decodeUtf8, defineOperation, type Operation, parseStrictJson } from '@access-admin/contract';
import { type Caller, fail, type OperationRights, ok, type Result, type Source } from '@access-admin/domain';
import type { Handler } from 'hono';
import { hostAdmits } from '../../auth/base-address.ts';
import { hashStaticSecret, parseStaticToken } from '../../auth/static-token.ts';
import type { ApiEnv, RequestContext } from '../../env.ts';
import { callerOf } from '../../http/caller.ts';
import { requestClosed } from '../../http/connection.ts';
import type { ApiFailure, Unauthenticated } from '../../http/problem.ts';
import { readBody } from '../../http/read-body.ts';
import { admit } from '../../middleware/admit.ts';
import { authenticate } from '../../middleware/authenticate.ts';
import { authorize } from '../../middleware/authorize.ts';
import { withinDeadline } from '../../middleware/deadline.ts';
import { failureOfError } from '../../middleware/errors.ts';
import { recordDenial } from '../../middleware/record-denial.ts';
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
    example: {},
  });
  const steps = async (c: RequestContext): Promise<Result<ScimInput, ScimFailure>> => {
    const refused = (await authenticateScim(c, operation)) ?? (await admit(c, operation));
    if (refused !== null) return fail(refused);
    const body = bytesMax === null ? ok(undefined) : await receive(c, { operation, bytesMax });
    if (!body.ok) return body;
    const caller = callerOf(c);
    const source = await c.env.services.store.sources.find(caller.tenant, c.req.param('source') ?? '');
    if (source === null) return fail({ type: 'NotFound', causes: [{ at: '', text: 'There is no such source.' }] });
    return ok({ caller, source, id: c.req.param('id') ?? '', body: body.value });
  };
  const answer = async (c: RequestContext): Promise<Response> => {
    const { state, services } = c.env;
    state.operationId = id;
    try {
      const input = await steps(c);
      const answered = input.ok ? await withinDeadline(c, operation, handler(c, input.value)) : input;
      if (answered instanceof Response) return answered;
      if (answered.failure.type === 'Forbidden') await recordDenial(c, operation);
      return refuseScim(c, answered.failure);
    } catch (error) {
      const { failure, reason } = failureOfError(error, state, services);
      return refuseScim(c, failure, reason);
    } finally {
      state.bodySlot?.release();
    }
  };
  return [method, `${SCIM_ROOT}${path}`, answer];
}

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

/** Reads and parses a body. It may take minutes to arrive: the caller is authenticated and authorized again afterwards. */
async function receive(
  c: RequestContext,
  { operation, bytesMax }: { readonly operation: Operation; readonly bytesMax: number },
): Promise<Result<unknown, ApiFailure>> {
  const { state, services } = c.env;
  if (!MEDIA_TYPE.test(c.req.header('content-type') ?? '') || c.req.header('content-encoding') !== undefined) {
    const text = 'The Content-Type must be application/scim+json or application/json, without a Content-Encoding.';
    return fail({ type: 'UnsupportedMediaType', causes: [{ at: '', text }], acceptPatch: false });
  }
  const { tenant } = callerOf(c);
  const openSlot = () =>
    (state.bodySlot ??= services.semaphores.bodies.open(tenant, { signal: () => requestClosed(c) }));
  const bytes = await readBody(c, { bytesMax, openSlot });
  if (!bytes.ok) return bytes;
  const text = decodeUtf8(bytes.value);
  const json = text.ok ? parseStrictJson(text.value) : text;
  if (!json.ok) return json;
  const refused = (await authenticateScim(c, operation)) ?? (await authorize(c, operation));
  return refused === null ? json : fail(refused);
}
