import type { RequestContext } from './env.ts';

// A host name that stands for that of a tenant while the address is parsed.
const PLACEHOLDER = 'tenant-placeholder-0';

/** Whether a request that changes something comes from a page of the origin of this tenant. */
export type IsFromOwnOrigin = (c: RequestContext, tenant: string) => boolean;

/**
 * Browsers send `Origin` with every POST, and no page of another origin can set it; `Sec-Fetch-Site` says the same where a
 * browser sends it. The base address is parsed once, because parsing it costs more than the rest of admitting a session.
 */
export function createIsFromOwnOrigin(baseAddress: string): IsFromOwnOrigin {
  const [before = '', after] = new URL(baseAddress.replace('{tenant}', PLACEHOLDER)).origin.split(PLACEHOLDER);
  return (c, tenant) => {
    const site = c.req.header('sec-fetch-site');
    if (site !== undefined && site !== 'same-origin') return false;
    return c.req.header('origin') === (after === undefined ? before : `${before}${tenant}${after}`);
  };
}
