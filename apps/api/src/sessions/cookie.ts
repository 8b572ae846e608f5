import { hash } from 'node:crypto';
import { tenantOfHost } from '../auth/base-address.ts';
import { type Cookies, createCookies, isFramed } from '../http/cookies.ts';
import type { Exchange } from '../http/exchange.ts';

const NAME = 'session';

/** The session that a browser names. */
export interface NamedSession {
  readonly tenant: string;
  /** The SHA-256 of its token, in hexadecimal digits. */
  readonly hash: string;
  /** Whether it is in the cookie of a frame. */
  readonly isFramed: boolean;
}

/** Reads and writes the cookie of a session. */
export interface SessionCookie {
  /** Null without one, and where the host is of no tenant. */
  read(c: RequestContext): NamedSession | null;
  write: (token: string, of: { readonly c: RequestContext; readonly maxAgeSeconds?: number }) => string;
  clear: (c: RequestContext) => string;
}

interface CookieConfig {
  readonly baseAddress: string;
  /** The tenant of sessions where the address names none. */
  readonly tenant: string;
}

export function createSessionCookie({ baseAddress, tenant }: CookieConfig): SessionCookie {
  const cookies = createCookies(baseAddress);
  const tenantOf = (exchange: Exchange) =>
    baseAddress.includes('{tenant}') ? tenantOfHost(baseAddress, exchange.header('host') ?? '') : tenant;
  const readNamed = (exchange: Exchange): NamedSession | null => {
    const sent = readToken(cookies, exchange);
    const named = sent === null ? null : tenantOf(exchange);
    if (sent === null || named === null) return null;
    return { tenant: named, hash: hashOfToken(sent.token), isFramed: sent.isFramed };
  };
  const seen = new WeakMap<object, Seen>();
  return {
    read: (c) => {
      const cookie = c.req.header('cookie');
      if (cookie === null) return null;
      const [host, dest] = [c.req.header('host'), c.req.header('sec-fetch-dest')];
      // Most requests of a connection carry the same cookies: comparing them costs less than hashing the token.
      const last = seen.get(c.connection);
      if (last?.cookie === cookie && last.host === host && last.dest === dest) return last.named;
      const named = readNamed(c);
      seen.set(c.connection, { cookie, host, dest, named });
      return named;
    },
    write: (token, of) => cookies.write(NAME, token, of),
    clear: (c) => cookies.clear(NAME, c),
  };
}

/** The headers of the last request of a connection that decide which session it names. */
interface Seen {
  readonly cookie: string;
  readonly host: string | null;
  readonly dest: string | null;
  readonly named: NamedSession | null;
}

// 32 bytes in base64url.
const TOKEN = /^[\w-]{43}$/;

interface SentToken {
  readonly token: string;
  readonly isFramed: boolean;
}

/** A script of a page in a frame sends the cookie of the frame, and does not say that it is in one. */
function readToken(cookies: Cookies, exchange: Exchange): SentToken | null {
  const own = cookies.read(NAME, exchange);
  const ofFrame = own === null && isScript(exchange) ? cookies.read(NAME, inFrame(exchange)) : null;
  const token = own ?? ofFrame;
  if (token === null || !TOKEN.test(token)) return null;
  return { token, isFramed: ofFrame !== null || isFramed(exchange) };
}

const isScript = (c: RequestContext): boolean => c.req.header('sec-fetch-dest') === 'empty';

const inFrame = (c: RequestContext): RequestContext => ({
  header: (name) => (name === 'sec-fetch-dest' ? 'iframe' : c.req.header(name)),
});

export const hashOfToken = (token: string): string => hash('sha256', token);
