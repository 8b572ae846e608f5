import { hash } from 'node:crypto';
import { tenantOfHost } from '../auth/base-address.ts';
import type { RequestContext } from '../env.ts';
import { type Cookies, createCookies, isFramed } from '../http/cookies.ts';

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
  write(c: RequestContext, token: string, maxAgeSeconds?: number): void;
  clear(c: RequestContext): void;
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
  return {
    read: (c) => {
      const sent = readToken(cookies, c);
      const named = sent === null ? null : tenantOf(c);
      if (sent === null || named === null) return null;
      return { tenant: named, hash: hashOfToken(sent.token), isFramed: sent.isFramed };
    },
    write: (c, token, maxAgeSeconds) => cookies.write(c, NAME, token, maxAgeSeconds),
    clear: (c) => cookies.clear(c, NAME),
  };
}

// 32 bytes in base64url.
const TOKEN = /^[\w-]{43}$/;

interface SentToken {
  readonly token: string;
  readonly isFramed: boolean;
}

/** A script of a page in a frame sends the cookie of the frame, and does not say that it is in one. */
function readToken(cookies: Cookies, c: RequestContext): SentToken | null {
  const own = cookies.read(c, NAME);
  const ofFrame = own === null && isScript(c) ? cookies.read(c, NAME, true) : null;
  const token = own ?? ofFrame;
  if (token === null || !TOKEN.test(token)) return null;
  return { token, isFramed: ofFrame !== null || isFramed(c) };
}

const isScript = (c: RequestContext): boolean => c.req.header('sec-fetch-dest') === 'empty';

export const hashOfToken = (token: string): string => hash('sha256', token);
