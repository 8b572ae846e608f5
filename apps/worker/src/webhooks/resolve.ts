import { lookup, Resolver } from 'node:dns/promises';
import { addressInHost, validateAddress } from '@access-admin/domain';

/** Resolves a name to all its IP addresses; rejects when it has none. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** How names are resolved. */
export interface Resolvers {
  /** For names on the Internet. */
  readonly byDns: ResolveName;
  /** For targets that the operator lists, which may be in a hosts file or a search domain. */
  readonly bySystem: ResolveName;
}

const QUERY_MS = 2_500;
const TRIES = 2;

/**
 * Names on the Internet are resolved without the threads of `getaddrinfo`: there are four, and name servers that do not
 * answer would occupy them for everything else in the process.
 */
export function createResolvers(): Resolvers {
  return {
    byDns: async (name) => {
      const resolver = new Resolver({ timeout: QUERY_MS, tries: TRIES });
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    },
    bySystem: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  };
}

/** Why nothing may be sent to a host. */
export class TargetRefused extends Error {}

/** The addresses to which a connection to the host may go, none but them. */
export type ResolveHost = (url: URL) => Promise<readonly string[]>;

/**
 * Resolves the host of a URL, and refuses it when any of its addresses is not public. A target that the operator lists may
 * have any address.
 */
export function createResolveHost({ byDns, bySystem }: Resolvers, targets: ReadonlySet<string>): ResolveHost {
  return async (url) => {
    const isListed = targets.has(url.origin);
    const literal = addressInHost(url.hostname);
    const addresses = literal === null ? await (isListed ? bySystem : byDns)(url.hostname) : [literal];
    const isPublic = isListed || addresses.every((address) => validateAddress(address) === null);
    // One text for both: callers must not find out internal names.
    if (addresses.length === 0 || !isPublic)
      throw new TargetRefused('The name of the receiver has no address, or one that is not public.');
    return [...new Set(addresses)].toSorted();
  };
}
