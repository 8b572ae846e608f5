import { type Caller, type Capability, fail, type NotFound, ok, type Result } from '@access-admin/domain';
import { actingFault, type CallingClient, type ClientStore, type TenantStore } from '@access-admin/store';
import type { RequestContext } from '../env.ts';
import { type MaybePromise, whenReady } from '../event-loop/maybe-promise.ts';
import type { Unauthenticated } from '../http/problem.ts';
import { hostAdmits } from './base-address.ts';
import { type HostTenants, NO_TENANT } from './host-tenants.ts';
import type { NoteUse } from './note-use.ts';
import type { TokenFault, VerifiedToken, VerifyToken } from './verify-token.ts';

/** Finds the session that a request names by its cookie; null without one that can be used. */
export interface FindSession {
  find(c: RequestContext): MaybePromise<{ readonly caller: Caller } | null>;
}

export interface AuthenticateDeps {
  readonly admit: Admit;
  readonly verifyToken: VerifyToken;
  readonly baseAddress: string;
  readonly sessions: FindSession;
  readonly hostTenants: Pick<HostTenants, 'isOfNone'>;
}

/** What a verified token says of its caller. */
type CallerClaims = Omit<VerifiedToken, 'expiresAtMs' | 'keyId'>;

/** The caller of a token with the rights that it has now, whether or not the token has expired since it was verified. */
export type Admit = (claims: CallerClaims) => MaybePromise<Result<Caller, Unauthenticated>>;

export interface AdmitDeps {
  readonly clients: Pick<ClientStore, 'findCaller' | 'findCapabilities'>;
  readonly tenants: Pick<TenantStore, 'isClosedToIssuers'>;
  readonly noteUse: NoteUse;
  readonly now: () => Date;
}

/** `NotFound` is for a request without a token at the address of a tenant that does not exist. */
export type Authenticate = (c: RequestContext) => MaybePromise<Result<Caller, Unauthenticated | NotFound>>;

const NO_TOKEN = fail<Unauthenticated>({ type: 'Unauthenticated', causes: [], error: null, reason: 'no token' });

const NO_SESSION = fail<Unauthenticated>({ type: 'Unauthenticated', causes: [], error: null, reason: 'no session' });

const refuseToken = (reason: string) =>
  fail<Unauthenticated>({ type: 'Unauthenticated', causes: [], error: 'invalid_token', reason });

/** The caller of a token of an external issuer, with the rights that it has now. */
const foreignCaller = (
  { tenant, clientId, clientCreated, scopes, identityId, issuedAtMs: issuedMs }: CallerClaims,
  capabilities: readonly Capability[] | null,
): Result<Caller, Unauthenticated> =>
  capabilities === null
    ? refuseToken('identity gone')
    : ok({ tenant, clientId, clientCreated, scopes, identityId, capabilities, issuedMs });

/** Admits tokens of this service: those of the client as it is now and of a secret that is valid, with the scopes that it still has. */
function createAdmitOwn(now: () => Date) {
  const admitted = new WeakMap<CallerClaims, Admitted>();
  return (token: CallerClaims, client: CallingClient | null): Result<Caller, Unauthenticated> => {
    if (client === null) return refuseToken('client gone');
    if (client.created !== token.clientCreated) return refuseToken('token of an earlier client of this id');
    if (client.secretVersion !== token.secretVersion && !isOfPrevious(token, client, now))
      return refuseToken('token of a secret that has ended');
    const last = admitted.get(token);
    if (last?.client === client) return last.caller;
    const caller = ownCaller(token, client);
    admitted.set(token, { client, caller });
    return caller;
  };
}

/** The caller of a token of this service, with the rights that it has now. */
function ownCaller(token: CallerClaims, client: CallingClient): Result<Caller, Unauthenticated> {
  const { tenant, clientId, clientCreated, secretVersion } = token;
  const { identityId, capabilities, isSessionBound } = client;
  const fault = actingFault(client, secretVersion);
  if (fault !== null || capabilities === null) return refuseToken(fault ?? 'identity gone');
  const scopes = new Set([...token.scopes].filter((scope) => client.scopes.has(scope)));
  return ok({ tenant, clientId, clientCreated, secretVersion, scopes, identityId, capabilities, isSessionBound });
}

/** Whether a token was made with the secret before the present one, which is still valid. */
const isOfPrevious = (
  { secretVersion }: CallerClaims,
  { secretVersion: present, previousSecretEndsMs }: CallingClient,
  now: () => Date,
): boolean => secretVersion === present - 1 && previousSecretEndsMs !== null && previousSecretEndsMs > now().getTime();

interface Admitted {
  /** The same object until a commit may have changed it. */
  readonly client: CallingClient;
  readonly caller: Result<Caller, Unauthenticated>;
}

type Refused = Result<never, Unauthenticated | NotFound>;

export function createAdmit({ clients, tenants, noteUse, now }: AdmitDeps): Admit {
  const admitOwn = createAdmitOwn(now);
  return (claims) => {
    const { tenant, clientId, clientCreated } = claims;
    if (clientCreated === null) {
      const isClosed = tenants.isClosedToIssuers(tenant, now().getTime());
      return whenReady<boolean, Result<Caller, Unauthenticated>>(isClosed, (closed) =>
        closed ? refuseToken('tenant removed') : admitForeign(clients, claims),
      );
    }
    return whenReady(clients.findCaller(tenant, clientId), (client) => {
      const caller = admitOwn(claims, client);
      if (caller.ok) noteUse(tenant, clientId);
      return caller;
    });
  };
}

/**
 * Turns the Authorization header into the caller, or without one the cookie of a session. Scopes and capabilities are read from storage each time, so a revoked one takes
 * effect at once.
 */
export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const { admit, verifyToken, baseAddress, sessions, hostTenants } = deps;
  const admitVerified = (
    c: RequestContext,
    verified: VerifiedToken | TokenFault,
  ): MaybePromise<Result<Caller, Unauthenticated>> => {
    if (typeof verified === 'string') return refuseToken(verified);
    return hostAdmits(baseAddress, verified.tenant, c) ? admit(verified) : refuseToken('host of another tenant');
  };
  const verify = (authorization: string): MaybePromise<VerifiedToken | TokenFault> => {
    const scheme = /^Bearer +/i.exec(authorization)?.[0];
    return scheme === undefined ? 'no bearer token' : verifyToken(authorization.slice(scheme.length));
  };
  return (c) => {
    const authorization = c.req.header('authorization');
    if (authorization !== undefined)
      return whenReady<VerifiedToken | TokenFault, Result<Caller, Unauthenticated>>(verify(authorization), (token) =>
        admitVerified(c, token),
      );
    const refuse = (refused: Refused): MaybePromise<Refused> =>
      whenReady(hostTenants.isOfNone(c), (isOfNone) => (isOfNone ? fail(NO_TENANT) : refused));
    // Most programs without a token have no cookie either.
    if (c.req.header('cookie') === undefined) return refuse(NO_TOKEN);
    return whenReady<{ readonly caller: Caller } | null, Result<Caller, Unauthenticated | NotFound>>(
      sessions.find(c),
      (live) => (live === null ? refuse(NO_SESSION) : ok(live.caller)),
    );
  };
}

/** Admits a token that an external issuer has signed: it is not of a client of the store. */
function admitForeign(
  clients: Pick<ClientStore, 'findCapabilities'>,
  token: CallerClaims,
): MaybePromise<Result<Caller, Unauthenticated>> {
  const { tenant, identityId, issuedAtMs } = token;
  return whenReady(
    identityId === null ? [] : clients.findCapabilities(tenant, identityId, issuedAtMs),
    (capabilities: readonly Capability[] | null) => foreignCaller(token, capabilities),
  );
}
