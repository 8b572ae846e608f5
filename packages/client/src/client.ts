import { type AccessModel, createAccessModel } from './groups/access-model.ts';
import { type AuditEvents, createAuditEvents } from './groups/administration/audit-events.ts';
import { type AuthOrg, createAuthOrg } from './groups/administration/auth-org.ts';
import { type AuthProfiles, createAuthProfiles } from './groups/administration/auth-profiles.ts';
import { type AuthUsers, createAuthUsers } from './groups/administration/auth-users.ts';
import { type BrandingOperations, createBranding } from './groups/administration/branding.ts';
import { createHealth, type Health } from './groups/administration/health.ts';
import { createOAuthClients, type OAuthClients } from './groups/administration/oauth-clients.ts';
import { createSessions, type Sessions } from './groups/administration/sessions.ts';
import { createSignIn, type SignIn } from './groups/administration/sign-in.ts';
import { createTenants, type Tenants } from './groups/administration/tenants.ts';
import { createUiMetadata, type UiMetadataOperations } from './groups/administration/ui-metadata.ts';
import { createWebhooks, type Webhooks } from './groups/administration/webhooks.ts';
import { type Authzen, createAuthzen } from './groups/authzen.ts';
import { type Controls, createControls } from './groups/controls.ts';
import { createEvents, type Events } from './groups/events.ts';
import { createSodExceptions, type SodExceptions } from './groups/exceptions.ts';
import { createSourceLoads, type SourceLoads } from './groups/loads.ts';
import { createLookUps, type LookUps } from './groups/look-ups.ts';
import { createSodPolicies, type SodPolicies } from './groups/policies.ts';
import { createSodReports, type SodReports } from './groups/reports.ts';
import { createSodReservations, type SodReservations } from './groups/reservations.ts';
import { createSodViolations, type SodViolations } from './groups/sod-violations.ts';
import { type Accounts, createAccounts, createSources, type Sources } from './groups/sources.ts';
import { createViolations, type Violations } from './groups/violations.ts';
import type { Fetch, Wire } from './http/attempt.ts';
import { type Runtime, systemRuntime } from './http/runtime.ts';
import {
  type ClientCredentials,
  createClientTokens,
  createFixedTokens,
  SESSION_COOKIE,
  type TokenProvider,
} from './http/token-provider.ts';
import { type ApiRequest, type CallOptions, createTransport, type ParsedResponse } from './http/transport.ts';

/**
 * A token of any issuer that the service trusts, or a function that is called for each request and does its own
 * caching.
 */
export interface GivenToken {
  readonly token: string | (() => Promise<string>);
}

const TIMEOUT_MS = 30_000;
const RETRIES = 6;

/** The address of the service, and the defaults of all calls. */
export interface SessionClientOptions {
  /** Such as `https://acme.api.example.com`. The token decides the tenant. */
  readonly baseAddress: string;
  /** Time limit of one attempt, in milliseconds: 30,000 if left out. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first where a repeat is safe: 6 if left out. */
  readonly retries?: number | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Whether to enable the experimental operations (auth profiles, UI metadata): true if left out. */
  readonly experimental?: boolean | undefined;
}

/** The address of the service, the credentials, and the defaults of all calls. */
export type ClientOptions = (ClientCredentials | GivenToken) & SessionClientOptions;

/** A request of any operation. */
export interface ApiCall extends CallOptions, Pick<ApiRequest, 'method' | 'path' | 'query' | 'body' | 'experimental'> {}

/** What the service has answered. */
export type ApiAnswer<T> = ParsedResponse<T>;

/** The operations of the service, by group. */
export interface AccessAdminClient extends LookUps {
  /** Calls an operation that has no method here, such as one of a newer service. */
  call<T>(call: ApiCall): Promise<ApiAnswer<T>>;
  readonly authUsers: AuthUsers;
  readonly authProfiles: AuthProfiles;
  readonly authzen: Authzen;
  readonly authOrg: AuthOrg;
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly sodPolicies: SodPolicies;
  readonly sodExceptions: SodExceptions;
  readonly sodReservations: SodReservations;
  readonly controls: Controls;
  readonly sources: Sources;
  readonly sourceLoads: SourceLoads;
  readonly accounts: Accounts;
  readonly sodReports: SodReports;
  readonly sodViolations: SodViolations;
  readonly violations: Violations;
  readonly uiMetadata: UiMetadataOperations;
  readonly branding: BrandingOperations;
  readonly oauthClients: OAuthClients;
  readonly tenants: Tenants;
  readonly accessModel: AccessModel;
  readonly auditEvents: AuditEvents;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly health: Health;
}

/**
 * Creates a client; nothing is sent before its first call. Throws a `TypeError` for an invalid base address.
 * Calls reject with an `AccessAdminError`, or with the reason of their signal.
 */
export function createClient(options: ClientOptions): AccessAdminClient {
  return createClientOn(systemRuntime, options);
}

/** Creates a client with another clock, for tests. */
export function createClientOn(runtime: Runtime, options: ClientOptions): AccessAdminClient {
  return buildClient(runtime, options, (wire) => tokensOf(options, wire));
}

/**
 * Creates a client of the session of the person who is signed in, as `createClient` does one with credentials: for pages of the
 * service's own origin, whose requests carry its cookie. Programs that bundle it carry nothing of tokens.
 */
export function createSessionClient(options: SessionClientOptions): AccessAdminClient {
  return buildClient(systemRuntime, options, () => SESSION_COOKIE);
}

function buildClient(
  runtime: Runtime,
  options: SessionClientOptions,
  tokensFor: (wire: Wire) => TokenProvider,
): AccessAdminClient {
  const { timeoutMs = TIMEOUT_MS, retries = RETRIES, experimental = true } = options;
  const wire: Wire = {
    baseAddress: parseBaseAddress(options.baseAddress),
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    runtime,
  };
  const transport = createTransport(wire, tokensFor(wire), { timeoutMs, retries, experimental });
  return {
    authUsers: createAuthUsers(transport),
    authProfiles: createAuthProfiles(transport),
    authzen: createAuthzen(transport),
    authOrg: createAuthOrg(transport),
    signIn: createSignIn(transport),
    sessions: createSessions(transport),
    sodPolicies: createSodPolicies(transport),
    sodExceptions: createSodExceptions(transport),
    sodReservations: createSodReservations(transport),
    controls: createControls(transport),
    sources: createSources(transport),
    sourceLoads: createSourceLoads(transport),
    accounts: createAccounts(transport),
    sodReports: createSodReports(transport, runtime),
    sodViolations: createSodViolations(transport, timeoutMs, runtime),
    violations: createViolations(transport),
    uiMetadata: createUiMetadata(transport),
    branding: createBranding(transport),
    oauthClients: createOAuthClients(transport),
    tenants: createTenants(transport),
    accessModel: createAccessModel(transport),
    ...createLookUps(transport),
    auditEvents: createAuditEvents(transport),
    events: createEvents(transport, runtime),
    webhooks: createWebhooks(transport),
    health: createHealth(wire, timeoutMs),
    call: (options) => transport.call({ ...options, options }),
  };
}

function tokensOf(options: ClientOptions, wire: Wire): TokenProvider {
  if ('token' in options) return createFixedTokens(options.token);
  const { timeoutMs = TIMEOUT_MS, retries = RETRIES } = options;
  return createClientTokens(options, wire, { retries, timeoutMs });
}

function parseBaseAddress(text: string): string {
  // `localhost:8080` parses as an address of the scheme `localhost`.
  if (/^[\w.-]+(:\d+)?(\/|$)/.test(text))
    throw new TypeError(`baseAddress must begin with https:// or http://, such as https://${text}`);
  const { protocol, origin, pathname, username, password, search, hash } = new URL(text);
  if (!/^https?:$/.test(protocol) || username + password + search + hash !== '')
    throw new TypeError('baseAddress must be an http or https address without credentials, query and fragment');
  return origin + pathname.replace(/\/+$/, '');
}
