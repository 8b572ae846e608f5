import { ApiError, TokenError } from '../errors.ts';
import { openAttempt, type Wire } from './attempt.ts';
import { retry } from './retry.ts';
import { unlessAborted } from './runtime.ts';

/** Where requests get their tokens. */
export interface TokenProvider {
  /** A token; null where requests carry none. Rejects with a `TokenError`, or the signal's reason. */
  get(signal: AbortSignal | undefined): Promise<string | null>;
  /** Replaces a token that the service has refused, like `get`; null if there is no other one. */
  renew(refused: string | null, signal: AbortSignal | undefined): Promise<string | null>;
}

/** Sends no token: the browser adds the cookie of the session that the page is signed in with. */
export const SESSION_COOKIE: TokenProvider = { get: async () => null, renew: async () => null };

/** A client of the service and its secret. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Requested scopes, separated by spaces; all scopes of the client if left out. */
  readonly scope?: string | undefined;
}

/** Provides a fixed token, or calls a function for each request, which does its own caching. */
export function createFixedTokens(source: string | (() => Promise<string>)): TokenProvider {
  if (typeof source === 'string') return { get: async () => parseToken(source), renew: async () => null };
  const get: TokenProvider['get'] = async (signal) => parseToken(await unlessAborted(ask(source), signal));
  return { get, renew: (_refused, signal) => get(signal) };
}

async function ask(source: () => Promise<string>): Promise<string> {
  try {
    return await source();
  } catch (cause) {
    throw new TokenError('The token function failed', null, { cause });
  }
}

/** A token is renewed this long before it expires, or after 4/5 of its lifetime if that is later. */
const SKEW_MS_MAX = 60_000;
const LIFE_MS_DEFAULT = 60_000;

/** Requests tokens from the service's token endpoint. Concurrent calls share one request. */
export function createClientTokens(
  credentials: ClientCredentials,
  wire: Wire,
  limits: { readonly retries: number; readonly timeoutMs: number },
): TokenProvider {
  let kept: { readonly token: string; readonly renewAt: number } | null = null;
  let pending: Promise<string> | null = null;

  async function request(): Promise<string> {
    const startedAt = wire.runtime.now();
    const { token, lifeMs } = await requestToken(credentials, wire, limits);
    kept = { token, renewAt: startedAt + lifeMs - Math.min(SKEW_MS_MAX, lifeMs / 5) };
    return token;
  }

  async function get(signal: AbortSignal | undefined): Promise<string> {
    if (kept !== null && wire.runtime.now() < kept.renewAt) return kept.token;
    pending ??= request().finally(() => {
      pending = null;
    });
    return unlessAborted(pending, signal);
  }

  return {
    get,
    renew(refused, signal) {
      // Another call may have replaced it already.
      if (kept?.token === refused) kept = null;
      return get(signal);
    },
  };
}

async function requestToken(
  { clientId, clientSecret, scope }: ClientCredentials,
  wire: Wire,
  { retries, timeoutMs }: { readonly retries: number; readonly timeoutMs: number },
): Promise<{ readonly token: string; readonly lifeMs: number }> {
  if (!isWellFormed(clientId) || !isWellFormed(clientSecret))
    throw new TokenError('clientId or clientSecret has half of a surrogate pair', null);
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) });
  const attempt = {
    method: 'POST',
    path: '/oauth/token',
    headers: new Headers({
      accept: 'application/json',
      // RFC 6749, 2.3.1: both parts are percent-encoded, so that colons and non-ASCII characters are preserved.
      authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    }),
    body: form.toString(),
    timeoutMs,
    // Not the signal of one call: other calls wait for the same token.
    signal: undefined,
  };
  try {
    const text = await retry({ retries, repeatable: true, signal: undefined }, wire.runtime, async () => {
      const response = await openAttempt(wire, attempt);
      return response.text().finally(response.close);
    });
    const { access_token, expires_in } = Object(JSON.parse(text));
    return { token: parseToken(access_token), lifeMs: expires_in > 0 ? expires_in * 1000 : LIFE_MS_DEFAULT };
  } catch (cause) {
    throw tokenErrorOf(cause);
  }
}

/** `String.prototype.isWellFormed`, which browsers from before 2023 lack. */
const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

function tokenErrorOf(cause: unknown): TokenError {
  if (cause instanceof TokenError) return cause;
  // The error of a JSON parser quotes its input, which may contain a token.
  if (cause instanceof SyntaxError) return new TokenError('The response of the token endpoint is not JSON', null);
  const code = cause instanceof ApiError ? cause.detailCode : null;
  return new TokenError(`No token: ${cause instanceof Error ? cause.message : cause}`, code, { cause });
}

/** Rejects a value that cannot be a header. The platform would do so too, in an error that quotes the value. */
function parseToken(token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new TokenError('What was given as a token is not one', null);
}
