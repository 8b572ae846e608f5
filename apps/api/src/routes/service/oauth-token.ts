import { SMALL_BODY_BYTES_MAX, tooLargeText } from '@access-admin/contract';
import { fail, ok, type Result } from '@access-admin/domain';
import { actingFault, type ClientStore, type ClientWithSecrets } from '@access-admin/store';
import OAuth2Server from '@node-oauth/oauth2-server';
import { Hono } from 'hono';
import { type BasicCredentials, readBasicCredentials } from '../../auth/basic-credentials.ts';
import { createFindClient } from '../../auth/client-secrets/find-client.ts';
import type { Secrets } from '../../auth/client-secrets/secrets.ts';
import type { HostTenants } from '../../auth/host-tenants.ts';
import type { TokenSigner } from '../../auth/sign-token.ts';
import { TOKEN_LIFETIME_SECONDS } from '../../auth/signing-keys.ts';
import { answer } from '../../http/answer.ts';
import type { ClientAddress } from '../../http/client-address.ts';
import type { Env, RequestContext } from '../../http/env.ts';
import { PROBLEMS, type TooManyRequests } from '../../http/problem.ts';
import { readBody } from '../../http/read-body.ts';
import { existingTenant } from '../../middleware/existing-tenant.ts';
import type { CountRequest } from '../../middleware/limit-rate.ts';
import { named } from '../../middleware/named.ts';

export interface TokenEndpointDeps {
  readonly hostTenants: Pick<HostTenants, 'isOfNone'>;
  readonly clients: ClientStore;
  readonly secrets: Pick<Secrets, 'authenticate'>;
  readonly signer: TokenSigner;
  readonly addressOf: ClientAddress;
  /** Counts the token requests of a client; null when limiting is off. */
  readonly countRequest: CountRequest | null;
  readonly now: () => Date;
}

// A CommonJS module: its members are not importable by name.
const { InvalidClientError, OAuthError, UnauthorizedClientError } = OAuth2Server;

/** A verified client asks for tokens more often than it may. */
class TooManyTokens extends OAuthError {
  readonly retryAfterSeconds: number;

  constructor({ causes, retryAfterSeconds }: TooManyRequests) {
    const texts = [PROBLEMS.TooManyRequests.text, ...causes.map(({ text }) => text)];
    // RFC 6749 has no error for it; this one is registered for token endpoints by RFC 8628.
    super(texts.join(' '), { code: PROBLEMS.TooManyRequests.status, name: 'slow_down' });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** `POST /oauth/token`: the client credentials grant of RFC 6749, as a form or multipart, with credentials in Basic or the body. */
export function tokenEndpoint(deps: TokenEndpointDeps): Hono<Env> {
  const app = new Hono<Env>();
  app.post('/oauth/token', named('create-token'), existingTenant(deps.hostTenants), (c) => createToken(c, deps));
  return app;
}

async function createToken(c: RequestContext, deps: TokenEndpointDeps): Promise<Response> {
  const read = await readForm(c);
  if (!read.ok) return read.failure;
  const form = read.value;
  const authorization = c.req.header('authorization');
  if (authorization !== undefined && form['client_secret'] !== undefined)
    return refuseToken(c, {
      status: 400,
      error: 'invalid_request',
      description: 'The client authenticates twice: send its credentials by HTTP Basic or in the body, not both.',
    });
  const headers = {
    ...(authorization === undefined ? {} : { authorization }),
    // The library accepts forms only, and treats a request without a length as one without a body.
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': '1',
  };
  const request = new OAuth2Server.Request({ method: 'POST', query: {}, headers, body: form });
  const result = new OAuth2Server.Response({});
  const source = { address: deps.addressOf(c), isBasic: authorization !== undefined };
  const server = new OAuth2Server({ model: createModel(deps, source), accessTokenLifetime: TOKEN_LIFETIME_SECONDS });
  try {
    await server.token(request, result);
  } catch (error) {
    if (error instanceof InvalidClientError) return refuseClient(c, error.message);
    // The library reports unsupported grants as unauthorized.
    if (error instanceof UnauthorizedClientError)
      return refuseToken(c, { status: 400, error: 'unsupported_grant_type', description: WRONG_GRANT });
    if (!(error instanceof OAuthError) || error.code >= 500) throw causeOf(error);
    const retryAfter: Record<string, string> =
      error instanceof TooManyTokens ? { 'retry-after': String(error.retryAfterSeconds) } : {};
    const refusal = { status: error.code, error: error.name, description: descriptionOf(error, form) };
    return refuseToken(c, { ...refusal, headers: retryAfter });
  }
  const expiry = result.status === 200 ? { expires_in: TOKEN_LIFETIME_SECONDS } : {};
  const { status = 200, body } = result;
  return tokenAnswer(c, { status, body: { ...body, ...expiry }, headers: result.headers ?? {} });
}

const WRONG_GRANT = 'The grant_type must be client_credentials.';

/** What is wrong and what to do, instead of the terms of the library. The characters are those that RFC 6749 allows. */
function descriptionOf({ name, message }: OAuth2Server.OAuthError, form: Readonly<Record<string, string>>): string {
  if (name === 'unsupported_grant_type') return WRONG_GRANT;
  if (name === 'invalid_scope')
    return 'The scope has one that the client does not have, or is not a list of scopes with a space between two of them: leave it out to get all scopes of the client.';
  if (name !== 'invalid_request') return message;
  return form['grant_type'] === undefined
    ? 'The grant_type is missing: send grant_type=client_credentials.'
    : 'A parameter has characters that OAuth 2.0 does not allow in it.';
}

/** The error that our model threw: the library wraps it. */
const causeOf = (error: unknown) => (error instanceof OAuthError && 'inner' in error ? error.inner : error);

interface TokenAnswer {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
}

const tokenAnswer = (c: RequestContext, { status, body, headers }: TokenAnswer): Response =>
  answer(c, {
    status,
    headers: { ...headers, 'content-type': 'application/json', pragma: 'no-cache' },
    body: JSON.stringify(body),
  });

/** A refusal in the shape of RFC 6749. `reason` is for the log, where it says more than the caller may learn. */
interface TokenRefusal {
  readonly status: number;
  readonly error: string;
  readonly description: string;
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function refuseToken(c: RequestContext, { status, error, description, reason, headers = {} }: TokenRefusal): Response {
  c.get('state').refusal = { detailCode: error, reason: reason ?? description };
  return tokenAnswer(c, {
    status,
    body: { error, error_description: description },
    headers: status === 401 ? { ...headers, 'www-authenticate': 'Basic realm="access-admin"' } : headers,
  });
}

/** The caller does not learn which clients exist. */
const refuseClient = (c: RequestContext, reason: string): Response =>
  refuseToken(c, {
    status: 401,
    error: 'invalid_client',
    description: 'The client is unknown or its secret is wrong: check client_id and client_secret.',
    reason,
  });

/** Reads the parameters, each at most once; fails with the refusal. */
async function readForm(c: RequestContext): Promise<Result<Record<string, string>, Response>> {
  const refused = (status: number, description: string) =>
    fail(refuseToken(c, { status, error: 'invalid_request', description }));
  if (c.req.header('content-encoding') !== undefined)
    return refused(400, 'The body must not be encoded: send it without a Content-Encoding.');
  const bytes = await readBody(c, { bytesMax: SMALL_BODY_BYTES_MAX });
  if (!bytes.ok)
    return bytes.failure.type === 'BodyTooLarge'
      ? refused(413, tooLargeText(SMALL_BODY_BYTES_MAX))
      : refused(400, 'The body ended before it was complete: send all of it.');
  const contentType = c.req.header('content-type') ?? '';
  const notAForm = 'The body must be application/x-www-form-urlencoded or multipart/form-data.';
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i.test(contentType))
    return refused(400, notAForm);
  const form = await new Response(bytes.value, { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => null);
  if (form === null) return refused(400, notAForm);
  const parameters: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value !== 'string' || Object.hasOwn(parameters, name))
      return refused(400, 'A parameter is given twice or is a file: send each once, as text.');
    // RFC 6749 treats a parameter without a value as omitted.
    if (value !== '') Object.defineProperty(parameters, name, { value, enumerable: true });
  }
  return ok(parameters);
}

/** Where the credentials of a request come from. */
interface CredentialsSource {
  readonly address: string;
  readonly isBasic: boolean;
}

/** What of a client that has proven itself a token depends on. */
interface ProvenClient extends Pick<ClientWithSecrets, 'id' | 'tenant' | 'scopes' | 'created'> {
  /** The version of the secret that it has proven itself by. */
  readonly secretVersion: number;
}

function createModel(
  { clients, secrets, signer, countRequest, now }: TokenEndpointDeps,
  { address, isBasic }: CredentialsSource,
): OAuth2Server.ClientCredentialsModel {
  // biome-ignore lint/plugin/type-assertion: The library gives back the client that `getClient` has returned.
  const provenOf = (client: OAuth2Server.Client) => client as unknown as ProvenClient;
  const scopesOf = (client: OAuth2Server.Client): readonly string[] => provenOf(client).scopes;
  const findClient = createFindClient(clients, now);
  /** Accepts the first decoding that authenticates. Otherwise the error is that of the likeliest decoding. */
  const authenticateAny = async (readings: readonly BasicCredentials[]) => {
    const faults: ('unknown client' | 'wrong secret')[] = [];
    for (const [clientId, secret] of readings) {
      const proven = await secrets.authenticate({ clientId, secret, address }, findClient);
      if (typeof proven !== 'string') return proven;
      faults.push(proven);
    }
    return faults[0] ?? 'unknown client';
  };
  return {
    async getClient(id, secret) {
      const proven = await authenticateAny(isBasic ? readBasicCredentials(id, secret) : [[id, secret]]);
      if (typeof proven === 'string') throw new InvalidClientError(proven);
      const { client, secretVersion } = proven;
      // Counted once it is certain that it is the client: others cannot use up its requests.
      const refused = await countRequest?.({ tenant: client.tenant, clientId: client.id });
      if (refused != null) throw new TooManyTokens(refused);
      const { id: provenId, tenant, scopes, created } = client;
      return {
        id: provenId,
        tenant,
        scopes,
        created,
        secretVersion,
        grants: ['client_credentials'],
      } satisfies ProvenClient & OAuth2Server.Client;
    },
    async getUserFromClient(client) {
      const { tenant, id, secretVersion } = provenOf(client);
      const record = await clients.findCaller(tenant, id);
      if (record === null) throw new InvalidClientError('client gone');
      const fault = actingFault(record, secretVersion);
      if (fault !== null) throw new InvalidClientError(fault);
      return { identityId: record.identityId };
    },
    async validateScope(_user, client, scope) {
      const requested = [...new Set(scope ?? scopesOf(client))];
      return requested.every((name) => scopesOf(client).includes(name)) ? requested : false;
    },
    async generateAccessToken(client, user, scope) {
      const { tenant, id, created, secretVersion } = provenOf(client);
      return signer.sign({
        tenant,
        clientId: id,
        clientCreated: created,
        secretVersion,
        identityId: user['identityId'],
        scopes: scope,
      });
    },
    saveToken: async (token, client, user) => ({ ...token, client, user }),
    getAccessToken: async () => null,
  };
}
