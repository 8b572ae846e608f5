import * as oidc from 'openid-client';
import { findApplication, type OidcApplication, type SignInApplication } from './applications.ts';

/** What a sign-in by a provider keeps between its two requests. */
export interface ProviderAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** A sign-in that begins: where the browser goes, and what is kept. */
export interface StartedAttempt {
  readonly url: string;
  readonly attempt: ProviderAttempt;
}

/** The answer of a provider, as it came back with the browser. */
export interface ProviderAnswer extends ProviderAttempt {
  readonly redirectUri: string;
  /** The query of the request, without the question mark. */
  readonly query: string;
}

/** The outcome of a sign-in at a provider: the username that it has verified, a refusal, or that it is away. */
export type Verified = { readonly username: string } | 'REFUSED' | 'UNAVAILABLE';

/** The OpenID providers among the applications. */
export interface Providers {
  /** Those of a tenant, in the order of the file. */
  list(tenant: string): readonly OidcApplication[];
  find(tenant: string, id: string): OidcApplication | null;
  /** Null where the provider does not answer. */
  start(application: OidcApplication, redirectUri: string): Promise<StartedAttempt | null>;
  verify(application: OidcApplication, answer: ProviderAnswer): Promise<Verified>;
}

interface ProvidersDeps {
  readonly applications: readonly SignInApplication[];
  readonly log: { readonly error: (fields: object, message: string) => void };
  /** Called after each sign-in that a provider has not answered. */
  readonly onUnanswered: (application: SignInApplication) => void;
  readonly now: () => Date;
}

/** By how much the clock of a provider may differ. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Metadata of a provider is read again after this time. */
const METADATA_MS = 3_600_000;

export function createProviders({ applications, log, onUnanswered, now }: ProvidersDeps): Providers {
  const readConfiguration = createConfigurations(now);
  const tell = (application: OidcApplication, error: unknown, message: string) =>
    log.error({ application: application.id, reason: reasonOf(error) }, message);
  return {
    list: (tenant) =>
      applications.filter((each): each is OidcApplication => each.kind === 'oidc' && each.tenants.includes(tenant)),
    find: (tenant, id) => {
      const found = findApplication(applications, tenant, id);
      return found?.kind === 'oidc' ? found : null;
    },
    start: async (application, redirectUri) => {
      try {
        const configuration = await readConfiguration(application);
        const attempt = {
          state: oidc.randomState(),
          nonce: oidc.randomNonce(),
          codeVerifier: oidc.randomPKCECodeVerifier(),
        };
        const url = oidc.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: application.scopes,
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(attempt.codeVerifier),
          code_challenge_method: 'S256',
        });
        return { url: url.href, attempt };
      } catch (error) {
        tell(application, error, 'a provider does not answer');
        onUnanswered(application);
        return null;
      }
    },
    verify: async (application, answer) => {
      try {
        const username = await usernameOf(await readConfiguration(application), application, answer);
        return username === null ? 'REFUSED' : { username };
      } catch (error) {
        tell(application, error, 'a provider has not verified a sign-in');
        if (!isUnavailable(error)) return 'REFUSED';
        onUnanswered(application);
        return 'UNAVAILABLE';
      }
    },
  };
}

/** The verified username; null where the provider names none. */
async function usernameOf(
  configuration: oidc.Configuration,
  application: OidcApplication,
  { redirectUri, query, state, nonce, codeVerifier }: ProviderAnswer,
): Promise<string | null> {
  const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) return null;
  const isInToken = Object.hasOwn(claims, application.usernameClaim);
  if (isInToken || configuration.serverMetadata().userinfo_endpoint === undefined)
    return usernameIn(claims, application);
  // Providers may keep claims of scopes out of ID tokens; those of the endpoint count for the same subject alone.
  return usernameIn(await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub), application);
}

/** Reads the metadata of providers, once for all requests at the same time; a failure is not kept. */
function createConfigurations(now: () => Date) {
  const known = new Map<
    OidcApplication,
    { readonly readMs: number; readonly configuration: Promise<oidc.Configuration> }
  >();
  return (application: OidcApplication): Promise<oidc.Configuration> => {
    const nowMs = now().getTime();
    const last = known.get(application);
    if (last !== undefined && Math.abs(nowMs - last.readMs) < METADATA_MS) return last.configuration;
    const configuration = discover(application);
    known.set(application, { readMs: nowMs, configuration });
    configuration.catch(() => known.delete(application));
    return configuration;
  };
}

function discover({ issuer, clientId, clientSecret }: OidcApplication): Promise<oidc.Configuration> {
  const isPlain = issuer.startsWith('http:');
  return oidc.discovery(
    new URL(issuer),
    clientId,
    { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    oidc.ClientSecretPost(clientSecret),
    {
      // The library trusts the connection to the token endpoint unless it is told to verify signatures too.
      execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
    },
  );
}

const USERNAME_LENGTH_MAX = 256;

/** The username in verified claims; an email address counts where the provider has verified it. */
function usernameIn(claims: Readonly<Record<string, unknown>>, { usernameClaim }: OidcApplication): string | null {
  if (!Object.hasOwn(claims, usernameClaim)) return null;
  if (usernameClaim === 'email' && claims['email_verified'] !== true) return null;
  const username = claims[usernameClaim];
  return typeof username === 'string' && isUsername(username) ? username : null;
}

/** PostgreSQL takes neither NUL nor half of a surrogate pair. */
const isUsername = (text: string): boolean =>
  text !== '' && text.length <= USERNAME_LENGTH_MAX && text.isWellFormed() && !text.includes('\0');

/** A provider that is away, answers otherwise than the protocol allows, or does not accept this service as its client. */
const UNAVAILABLE_CODES: ReadonlySet<unknown> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
]);
const UNAVAILABLE_ERRORS: ReadonlySet<unknown> = new Set([
  'server_error',
  'temporarily_unavailable',
  'invalid_client',
  'unauthorized_client',
]);

const isUnavailable = (error: unknown): boolean =>
  (error instanceof TypeError && error.message === 'fetch failed') ||
  UNAVAILABLE_CODES.has(propertyOf(error, 'code')) ||
  UNAVAILABLE_ERRORS.has(propertyOf(error, 'error'));

const propertyOf = (error: unknown, name: 'code' | 'error'): unknown => Object(error)[name];

/** The kind of the error alone: messages repeat what a provider has sent. */
function reasonOf(error: unknown): string {
  const code = propertyOf(error, 'code');
  const told = propertyOf(error, 'error');
  // The error codes of OAuth, which can also come with the browser.
  if (typeof told === 'string' && /^[a-z_]{1,64}$/.test(told)) return told;
  if (typeof code === 'string') return code;
  return error instanceof Error ? error.name : 'unknown';
}
