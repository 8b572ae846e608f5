import { hash } from 'node:crypto';
import { tenantOfHost } from '../auth/base-address.ts';
import { type Cookies, createCookies } from '../http/cookies.ts';
import type { RequestContext } from '../http/env.ts';

const NAME = 'session';

/** The session that a browser names: the SHA-256 of its token, in hexadecimal digits. */
export interface NamedSession {
  readonly tenant: string;
  readonly hash: string;
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
  const tenantOf = (c: RequestContext) =>
    baseAddress.includes('{tenant}') ? tenantOfHost(baseAddress, c.req.header('host') ?? '') : tenant;
  const readNamed = (c: RequestContext): NamedSession | null => {
    const token = readToken(cookies, c);
    const named = token === null ? null : tenantOf(c);
    return token === null || named === null ? null : { tenant: named, hash: hashOfToken(token) };
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

/** A script of a page in a frame sends the cookie of the frame, and does not say that it is in one. */
function readToken(cookies: Cookies, c: RequestContext): string | null {
  const token = cookies.read(NAME, c) ?? (isScript(c) ? cookies.read(NAME, inFrame(c)) : null);
  return token !== null && TOKEN.test(token) ? token : null;
}

const isScript = (c: RequestContext): boolean => c.req.header('sec-fetch-dest') === 'empty';

const inFrame = (c: RequestContext): RequestContext => ({
  header: (name) => (name === 'sec-fetch-dest' ? 'iframe' : c.req.header(name)),
});

export const hashOfToken = (token: string): string => hash('sha256', token);
