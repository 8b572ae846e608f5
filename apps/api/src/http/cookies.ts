import { getCookie, setCookie } from 'hono/cookie';
import type { RequestContext } from '../env.ts';

/**
 * Cookies of this service. A page in a frame has cookies of its own, which the browser keeps apart for each site that frames
 * it. Without a frame the name is that of the cookie on http of a loopback address, and has the prefix `__Host-` elsewhere:
 * browsers take it from https alone, from this host and for all of its paths.
 */
export interface Cookies {
  /** The value of the framed or the unframed cookie that the browser sent; null if there is none. */
  read(c: RequestContext, name: string, inFrame?: boolean): string | null;
  /** Sets it with the answer; it ends with the browser's session unless it has an age. */
  write(c: RequestContext, name: string, value: string, maxAgeSeconds?: number): void;
  /** Removes it with the answer. */
  clear(c: RequestContext, name: string): void;
  /** The names with a prefix for this kind of page, in the browser's order: the oldest first. */
  list(c: RequestContext, prefix: string): readonly string[];
}

/** Whether a page of another window shows the requested one in a frame. */
export const isFramed = (c: RequestContext): boolean => c.req.header('sec-fetch-dest') === 'iframe';

export function createCookies(baseAddress: string): Cookies {
  const isPlain = isPlainLoopback(baseAddress);
  const nameOf = (name: string, inFrame: boolean) =>
    inFrame ? `__Host-${name}-framed` : isPlain ? name : `__Host-${name}`;
  const write: Cookies['write'] = (c, name, value, maxAge) => {
    const inFrame = isFramed(c);
    const age = maxAge === undefined ? {} : { maxAge };
    const place = inFrame
      ? ({ sameSite: 'None', secure: true, partitioned: true } as const)
      : ({ sameSite: 'Lax', secure: !isPlain } as const);
    setCookie(c, nameOf(name, inFrame), value, { path: '/', httpOnly: true, ...place, ...age });
  };
  return {
    read: (c, name, inFrame = isFramed(c)) => getCookie(c, nameOf(name, inFrame)) || null,
    write,
    clear: (c, name) => write(c, name, '', 0),
    list: (c, prefix) => {
      const [before = '', after = ''] = nameOf('*', isFramed(c)).split('*');
      return Object.keys(getCookie(c)).flatMap((sent) => {
        const name = sent.slice(before.length, sent.length - after.length);
        return name.startsWith(prefix) && nameOf(name, isFramed(c)) === sent ? [name] : [];
      });
    },
  };
}

function isPlainLoopback(baseAddress: string): boolean {
  const { protocol, hostname } = new URL(baseAddress.replace('{tenant}', 'tenant'));
  return protocol === 'http:' && /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
