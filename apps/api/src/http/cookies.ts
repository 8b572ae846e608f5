import type { RequestContext } from './env.ts';

type Headers = RequestContext;

/**
 * Cookies of this service. A page in a frame has cookies of its own, which the browser keeps apart for each site that frames
 * it. Without a frame the name is that of the cookie on http of a loopback address, and has the prefix `__Host-` elsewhere:
 * browsers take it from https alone, from this host and for all of its paths.
 */
export interface Cookies {
  /** The value that the browser sent; null without one. */
  read(name: string, c: Headers): string | null;
  /** The header that sets it; it ends with the browser's session unless it has an age. */
  write(name: string, value: string, of: { readonly c: Headers; readonly maxAgeSeconds?: number }): string;
  /** The header that removes it. */
  clear(name: string, c: Headers): string;
}

/** Whether a page of another window shows the requested one in a frame. */
export const isFramed = (c: Headers): boolean => c.req.header('sec-fetch-dest') === 'iframe';

export function createCookies(baseAddress: string): Cookies {
  const isPlain = isPlainLoopback(baseAddress);
  const nameOf = (name: string, framed: boolean) =>
    framed ? `__Host-${name}-framed` : isPlain ? name : `__Host-${name}`;
  const write: Cookies['write'] = (name, value, { c, maxAgeSeconds }) => {
    const framed = isFramed(c);
    const place = framed ? 'SameSite=None; Secure; Partitioned' : `SameSite=Lax${isPlain ? '' : '; Secure'}`;
    const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
    return `${nameOf(name, framed)}=${value}; Path=/; HttpOnly; ${place}${age}`;
  };
  return {
    read: (name, c) => findCookie(c.req.header('cookie'), nameOf(name, isFramed(c))),
    write,
    clear: (name, c) => write(name, '', { c, maxAgeSeconds: 0 }),
  };
}

/** The first value of this name; null for an empty one. */
function findCookie(header: string | null, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const end = pair.indexOf('=');
    if (end !== -1 && pair.slice(0, end).trim() === name) return pair.slice(end + 1).trim() || null;
  }
  return null;
}

function isPlainLoopback(baseAddress: string): boolean {
  const { protocol, hostname } = new URL(baseAddress.replace('{tenant}', 'tenant'));
  return protocol === 'http:' && /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
