import type { RequestContext } from '../env.ts';

// A host name that stands for that of a tenant while the address is parsed.
const PLACEHOLDER = 'tenant-placeholder-0';

/**
 * The names of this machine that every browser knows. Where the base address has one of them, all are one origin with its scheme
 * and port. No other name counts: an attacker can point a name of their own here.
 */
const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Where a process listens at every address and nothing says which one is public: no browser can be led there. */
const UNSPECIFIED: readonly string[] = ['0.0.0.0', '[::]'];

/** The origins at which this service is opened. */
export interface OwnOrigins {
  /**
   * Whether a request that changes something comes from a page of the origin of this tenant. Browsers send `Origin` with every
   * POST, and no page of another origin can set it; `Sec-Fetch-Site` says the same where a browser sends it.
   */
  isSource(c: RequestContext, tenant: string): boolean;
  /** The origin of the base address. */
  baseOf(tenant: string): string;
  /** The origin at which a request was made: of a loopback name the one that was used, else that of the base address. */
  usedBy(c: RequestContext, tenant: string): string;
  /** Whether the request's host is one of our origins. True without a Host header, and always if the base address is unspecified. */
  isOwnHost(c: RequestContext, tenant: string): boolean;
}

/** The base address is parsed once, because parsing it costs more than the rest of admitting a session. */
export function createOwnOrigins(baseAddress: string): OwnOrigins {
  const base = new URL(baseAddress.replace('{tenant}', PLACEHOLDER));
  const [before = '', after] = base.origin.split(PLACEHOLDER);
  const baseOriginOf = (tenant: string) => (after === undefined ? before : `${before}${tenant}${after}`);
  const names = LOOPBACK_NAMES.includes(base.hostname) ? LOOPBACK_NAMES : [];
  const port = base.port === '' ? '' : `:${base.port}`;
  const loopback: ReadonlySet<string> = new Set(names.map((name) => `${base.protocol}//${name}${port}`));
  const originOf = (c: RequestContext) => URL.parse(`${base.protocol}//${c.req.header('host') ?? ''}`)?.origin;
  return {
    baseOf: baseOriginOf,
    isSource: (c, tenant) => {
      const site = c.req.header('sec-fetch-site');
      if (site !== undefined && site !== 'same-origin') return false;
      const origin = c.req.header('origin');
      return origin !== undefined && (origin === baseOriginOf(tenant) || loopback.has(origin));
    },
    usedBy: (c, tenant) => {
      const used = loopback.size === 0 ? undefined : originOf(c);
      return used !== undefined && loopback.has(used) ? used : baseOriginOf(tenant);
    },
    isOwnHost: (c, tenant) => {
      if (c.req.header('host') === undefined || UNSPECIFIED.includes(base.hostname)) return true;
      const used = originOf(c);
      return used !== undefined && (used === baseOriginOf(tenant) || loopback.has(used));
    },
  };
}
