import { SMALL_BODY_BYTES_MAX, tooLargeText } from '@access-admin/contract';
import { fail, ok, type Result } from '@access-admin/domain';
import { actingFault, type ClientWithSecrets } from '@access-admin/store';
import { Hono } from 'hono';
import { type BasicCredentials, parseBasic, readBasicCredentials } from '../../auth/basic-credentials.ts';
import { createFindClient } from '../../auth/client-secrets/find-client.ts';
import type { Authenticated } from '../../auth/client-secrets/secrets.ts';
import { TOKEN_LIFETIME_SECONDS } from '../../auth/signing-keys.ts';
import type { ApiEnv, RequestContext } from '../../env.ts';
import { headersOf, PROBLEMS, type TooManyRequests } from '../../http/problem.ts';
import { readBody } from '../../http/read-body.ts';
import { existingTenant } from '../../middleware/existing-tenant.ts';
import { named } from '../../middleware/named.ts';
import type { Services } from '../../services.ts';

/** `POST /oauth/token`: the client credentials grant of RFC 6749, as a form or multipart, with credentials in Basic or the body. */
export const tokenEndpoint = () =>
  new Hono<ApiEnv>().post('/oauth/token', named('create-token'), existingTenant, async (c) => {
    const form = await readForm(c);
    if (!form.ok) return refuseToken(c, form.failure);
    const { services } = c.env;
    const address = services.clientAddress(c);
    const request = { form: form.value, authorization: c.req.header('authorization'), address };
    const granted = await grantToken(request, services);
    return granted.ok ? tokenAnswer(200, granted.value) : refuseToken(c, granted.failure);
  });

/** The parameters of a request. */
type Form = ReadonlyMap<string, string>;

interface TokenRequest {
  readonly form: Form;
  /** The header of this name. */
  readonly authorization: string | undefined;
  readonly address: string;
}

/** RFC 6749, section 5.1. */
interface Grant {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
}

/** RFC 6749, section 5.2. `reason` is for the log, where it says more than the caller may learn. */
interface TokenRefusal {
  readonly status: number;
  readonly error: string;
  readonly description: string;
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

// Appendix A of RFC 6749.
const CREDENTIAL = /^[ -~]+$/;
const GRANT_TYPE = /^(?:[\w.-]+$|[A-Za-z][A-Za-z0-9+.-]+:)/;
const SCOPE = /^[ !#-[\]-~]+$/;

async function grantToken(request: TokenRequest, services: Services): Promise<Result<Grant, TokenRefusal>> {
  const { form } = request;
  const proven = await authenticateClient(request, services);
  if (!proven.ok) return proven;
  const { client, secretVersion } = proven.value;
  const { tenant, id: clientId, created: clientCreated } = client;
  // Counted once it is certain that it is the client: others cannot use up its requests.
  const limited = services.countTokenRequest?.({ tenant, clientId });
  if (limited != null) return fail(slowDown(limited));
  const grantType = form.get('grant_type');
  if (grantType === undefined || !GRANT_TYPE.test(grantType)) return fail(malformed(form));
  if (grantType !== 'client_credentials') return fail(UNSUPPORTED_GRANT_TYPE);
  const scope = form.get('scope')?.trim();
  if (scope !== undefined && !SCOPE.test(scope)) return fail(INVALID_SCOPE);
  const caller = await services.store.clients.findCaller(tenant, clientId);
  if (caller === null) return fail(invalidClient('client gone'));
  const fault = actingFault(caller, secretVersion);
  if (fault !== null) return fail(invalidClient(fault));
  const scopes = [...new Set(scope?.split(/ +/) ?? client.scopes)];
  if (!scopes.every((each) => client.scopes.includes(each))) return fail(INVALID_SCOPE);
  const { identityId } = caller;
  const token = await services.tokenSigner.sign({ tenant, clientId, clientCreated, secretVersion, identityId, scopes });
  const expiry = { expires_in: TOKEN_LIFETIME_SECONDS };
  return ok({ access_token: token, token_type: 'Bearer', ...expiry, scope: scopes.join(' ') });
}

/** Accepts the first reading of the credentials that authenticates. Otherwise the reason is that of the likeliest one. */
async function authenticateClient(
  { form, authorization, address }: TokenRequest,
  { store: { clients }, secrets, system: { now } }: Services,
): Promise<Result<Authenticated<ClientWithSecrets>, TokenRefusal>> {
  if (authorization !== undefined && form.has('client_secret')) return fail(TWO_WAYS);
  const credentials = authorization === undefined ? credentialsOf(form) : parseBasic(authorization);
  if (credentials === null) return fail(invalidClient('no credentials'));
  if (!credentials.every((each) => CREDENTIAL.test(each))) return fail(malformed(form));
  const findClient = createFindClient(clients, now);
  const faults: string[] = [];
  for (const [clientId, secret] of authorization === undefined ? [credentials] : readBasicCredentials(...credentials)) {
    const proven = await secrets.authenticate({ clientId, secret, address }, findClient);
    if (typeof proven !== 'string') return ok(proven);
    faults.push(proven);
  }
  return fail(invalidClient(faults[0] ?? 'no credentials'));
}

function credentialsOf(form: Form): BasicCredentials | null {
  const id = form.get('client_id');
  const secret = form.get('client_secret');
  return id === undefined || secret === undefined ? null : [id, secret];
}

const invalidRequest = (description: string, status = 400): TokenRefusal => ({
  status,
  error: 'invalid_request',
  description,
});

const TWO_WAYS = invalidRequest(
  'The client authenticates twice: send its credentials by HTTP Basic or in the body, not both.',
);

const malformed = (form: Form): TokenRefusal =>
  invalidRequest(
    form.has('grant_type')
      ? 'A parameter has characters that OAuth 2.0 does not allow in it.'
      : 'The grant_type is missing: send grant_type=client_credentials.',
  );

/** The caller does not learn which clients exist. */
const invalidClient = (reason: string): TokenRefusal => ({
  status: 401,
  error: 'invalid_client',
  description: 'The client is unknown or its secret is wrong: check client_id and client_secret.',
  reason,
  headers: { 'www-authenticate': 'Basic realm="access-admin"' },
});

const UNSUPPORTED_GRANT_TYPE: TokenRefusal = {
  status: 400,
  error: 'unsupported_grant_type',
  description: 'The grant_type must be client_credentials.',
};

const INVALID_SCOPE: TokenRefusal = {
  status: 400,
  error: 'invalid_scope',
  description:
    'The scope has one that the client does not have, or is not a list of scopes with a space between two of them: leave it out to get all scopes of the client.',
};

/** RFC 6749 has no error for it; this one is registered for token endpoints by RFC 8628. */
const slowDown = (refused: TooManyRequests): TokenRefusal => ({
  status: PROBLEMS.TooManyRequests.status,
  error: 'slow_down',
  description: [PROBLEMS.TooManyRequests.text, ...refused.causes.map(({ text }) => text)].join(' '),
  headers: headersOf(refused),
});

function refuseToken(c: RequestContext, { status, error, description, reason, headers }: TokenRefusal): Response {
  c.env.state.refusal = { detailCode: error, reason: reason ?? description };
  return tokenAnswer(status, { error, error_description: description }, headers);
}

const tokenAnswer = (status: number, body: object, headers: TokenRefusal['headers'] = {}) =>
  Response.json(body, { status, headers: { ...headers, pragma: 'no-cache' } });

/** Reads the parameters, each at most once. */
async function readForm(c: RequestContext): Promise<Result<Form, TokenRefusal>> {
  if (c.req.header('content-encoding') !== undefined)
    return fail(invalidRequest('The body must not be encoded: send it without a Content-Encoding.'));
  const bytes = await readBody(c, { bytesMax: SMALL_BODY_BYTES_MAX });
  if (!bytes.ok)
    return fail(
      bytes.failure.type === 'BodyTooLarge'
        ? invalidRequest(tooLargeText(SMALL_BODY_BYTES_MAX), 413)
        : invalidRequest('The body ended before it was complete: send all of it.'),
    );
  const contentType = c.req.header('content-type') ?? '';
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i.test(contentType)) return fail(NOT_A_FORM);
  const fields = await new Response(bytes.value, { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => null);
  if (fields === null) return fail(NOT_A_FORM);
  const form = new Map<string, string>();
  for (const [name, value] of fields) {
    if (typeof value !== 'string' || form.has(name)) return fail(REPEATED);
    // RFC 6749 treats a parameter without a value as omitted.
    if (value !== '') form.set(name, value);
  }
  return ok(form);
}

const NOT_A_FORM = invalidRequest('The body must be application/x-www-form-urlencoded or multipart/form-data.');
const REPEATED = invalidRequest('A parameter is given twice or is a file: send each once, as text.');
