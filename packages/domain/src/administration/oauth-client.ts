import { type Cause, type Conflict, type Forbidden, failure } from '../basics/result/failure.ts';
import { type Caller, hasSessionLimits, SCOPES, type Scope } from './authorization.ts';
import { type Capability, effectiveCapabilities, lackedCapability } from './capability.ts';

/** The scope that a client needs to administer the clients of its tenant. */
export const CLIENT_ADMINISTRATION_SCOPE = 'oauth-clients:manage' satisfies Scope;

const TENANTS_SCOPE = 'tenants:manage' satisfies Scope;

/** The properties of a client that callers may change. */
export interface ClientSettings {
  readonly name: string;
  readonly scopes: readonly string[];
}

/** What decides who may administer a client. */
export interface ClientPowers {
  readonly scopes: readonly string[];
  /** The identity that the client acts as; null or left out for an application. */
  readonly identityId?: string | null | undefined;
}

/** What a change or a deletion of a client depends on, besides the client. */
export interface ClientStanding {
  /** Whether the client always has every scope of the running version. */
  readonly isBootstrap: boolean;
  /** Whether this client can administer the clients of its tenant, and no other one can. */
  readonly isLastAdministrator: boolean;
  /**
   * The scopes of the running version that this client holds as an application, and no other application of its tenant does;
   * none for a client that acts as an identity.
   */
  readonly scopesHeldAlone: readonly string[];
}

/**
 * Whether the caller may change a client in this way. `Forbidden` when the client gains or had a scope that the caller may not
 * give, other than one that this version does not know, or when a session may not administer it as it was or would be;
 * `Conflict` when the bootstrap client would not have every scope, when no client of the tenant could administer clients any
 * more, or when no application of the tenant would hold a scope that the client has. Null when it may.
 */
export function validateClientChange(change: {
  readonly before: ClientSettings & ClientPowers;
  readonly after: ClientSettings;
  readonly standing: ClientStanding;
  readonly caller: Caller;
}): Forbidden | Conflict | null {
  const { before, after, standing, caller } = change;
  const gained = after.scopes.flatMap((scope, position) =>
    before.scopes.includes(scope) ? [] : refuseScope(scope, { at: `scopes[${position}]`, caller }),
  );
  const { identityId } = before;
  const causes = [
    ...gained,
    ...refuseHeld(before.scopes.filter(isKnownScope), caller),
    ...(refuseSession(before, caller) ?? refuseSession({ scopes: after.scopes, identityId }, caller) ?? []),
  ];
  if (causes.length > 0) return { type: 'Forbidden', causes };
  const lost = before.scopes.filter((scope) => !after.scopes.includes(scope));
  if (standing.isBootstrap && lost.length > 0)
    return failure('Conflict', 'scopes', 'the bootstrap client always has every scope of the running version');
  if (standing.isLastAdministrator && !after.scopes.includes(CLIENT_ADMINISTRATION_SCOPE))
    return lastAdministrator('scopes', 'keep');
  return refuseLoss(
    'scopes',
    lost.filter((scope) => standing.scopesHeldAlone.includes(scope)),
  );
}

/**
 * Whether the caller may delete a client: a session only one that it may administer, and nobody while it is the only one of its tenant that can administer clients, nor while it is the
 * last application of its tenant with one of its scopes. Null when it may.
 */
export function validateClientDeletion(
  client: ClientPowers,
  { isLastAdministrator, scopesHeldAlone }: ClientStanding,
  caller: Caller,
): Forbidden | Conflict | null {
  const causes = refuseSession(client, caller);
  if (causes !== null) return { type: 'Forbidden', causes };
  return isLastAdministrator ? lastAdministrator('', 'stay, with') : refuseLoss('', scopesHeldAlone);
}

const SCOPES_SHOWN_MAX = 3;

/** No caller of the tenant could give a scope to an application again that none holds any more. */
function refuseLoss(at: string, scopes: readonly string[]): Conflict | null {
  if (scopes.length === 0) return null;
  const further = scopes.length - SCOPES_SHOWN_MAX;
  const names = scopes.slice(0, SCOPES_SHOWN_MAX).join(', ') + (further > 0 ? ` and ${further} more` : '');
  return failure(
    'Conflict',
    at,
    `the client is the last application of the tenant that holds ${names}; first create another application that does`,
  );
}

const lastAdministrator = (at: string, what: string): Conflict =>
  failure(
    'Conflict',
    at,
    `the last client that can administer the clients of the tenant must ${what} the scope ${CLIENT_ADMINISTRATION_SCOPE}; first create another one with this scope`,
  );

/**
 * Whether the caller may create a client: it must be allowed to give every scope of the client, and be an application with
 * `tenants:manage` for a client of another tenant. A session creates only what it may administer. Null when it may.
 */
export function authorizeNewClient(request: {
  readonly scopes: readonly Scope[];
  readonly identityId?: string | null | undefined;
  readonly tenant: string;
  readonly caller: Caller;
}): Forbidden | null {
  const { scopes, identityId, tenant, caller } = request;
  const causes = scopes.flatMap((scope, position) => refuseScope(scope, { at: `scopes[${position}]`, caller }));
  causes.push(...(refuseSession({ scopes, identityId }, caller) ?? []));
  if (tenant !== caller.tenant && !caller.scopes.has(TENANTS_SCOPE)) {
    causes.push({ at: 'tenant', text: `another tenant needs the scope ${TENANTS_SCOPE}` });
  } else if (tenant !== caller.tenant && caller.identityId !== null) {
    causes.push({ at: 'tenant', text: 'another tenant needs a caller that is an application, not an identity' });
  }
  return causes.length === 0 ? null : { type: 'Forbidden', causes };
}

/**
 * Whether the caller may know a secret with which a client acts as an identity with these capabilities, of a new client or by a
 * rotation: else an identity could act as one that has more rights. Null when it may.
 */
export function authorizeActingIdentity(capabilities: readonly Capability[], caller: Caller): Forbidden | null {
  const lacked = lackedCapability(capabilities, caller);
  return lacked === null
    ? null
    : failure('Forbidden', 'identityId', `the identity has the capability ${lacked}, which the caller lacks`);
}

/**
 * Finds the first capability of a client's identity that the maker of the client's secret lacked at the time; null when there is
 * none, and for a secret that an application made.
 */
export const lackedByMaker = (
  capabilities: readonly Capability[],
  makerCapabilities: readonly Capability[] | null,
): Capability | null =>
  makerCapabilities === null
    ? null
    : (capabilities.find((each) => !effectiveCapabilities(makerCapabilities).includes(each)) ?? null);

/** For how many hours a secret of a client may stay valid beside the one that replaces it. */
export const CLIENT_SECRET_OVERLAP_HOURS = { min: 0, max: 168, byDefault: 24 } as const;

/** For how many days a static token of a client is valid. */
export const BEARER_TOKEN_DAYS = { min: 1, max: 366, byDefault: 180 } as const;

/** The most valid static tokens of a client for one source. */
export const BEARER_TOKENS_MAX = 2;

/**
 * Whether the caller may give a client another secret, which the caller then knows: it must be allowed to create this client,
 * so it needs each of its scopes. Null when it may.
 */
export function authorizeSecretRotation(client: ClientPowers, caller: Caller): Forbidden | null {
  const causes = [...refuseHeld(client.scopes, caller), ...(refuseSession(client, caller) ?? [])];
  return causes.length === 0 ? null : { type: 'Forbidden', causes };
}

const refuseHeld = (scopes: readonly string[], caller: Caller): Cause[] =>
  scopes.flatMap((scope) =>
    refuseScope(scope, { at: '', caller }).map(({ at, text }) => ({ at, text: `the client has ${scope}: ${text}` })),
  );

/**
 * A session, and a client that a session has made, administers only clients that act as its own identity, and those that can only
 * read: a browser must not make a program that does more for another identity or for none. Null when the caller may.
 */
function refuseSession({ scopes, identityId = null }: ClientPowers, caller: Caller): Cause[] | null {
  if (!hasSessionLimits(caller) || identityId === caller.identityId) return null;
  const further = scopes.find((scope) => !scope.endsWith(':read'));
  return further === undefined
    ? null
    : [
        {
          at: '',
          text: `a session, and a client made by one, administers only clients that act as its own identity or have scopes to read alone, and this one has ${further}`,
        },
      ];
}

const isKnownScope = (scope: string): boolean => SCOPES.some((known) => known === scope);

/** An identity gives no scope for operations on tenants: an application with it would do what the identity may not. */
function refuseScope(scope: string, { at, caller }: { readonly at: string; readonly caller: Caller }): Cause[] {
  if (!caller.scopes.has(scope)) return [{ at, text: 'the caller does not have this scope' }];
  if (scope === TENANTS_SCOPE && caller.identityId !== null)
    return [{ at, text: 'only an application can give this scope, and the caller acts as an identity' }];
  return [];
}
