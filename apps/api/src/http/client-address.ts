import { BlockList, isIP, isIPv4 } from 'node:net';
import { parseAddress, textOfAddress } from '@access-admin/domain';
import type { RequestContext } from '../env.ts';
import { remoteAddress } from './connection.ts';

/** The address of a caller for limits: of IPv4 whole, of IPv6 its /64 network, because one caller has all of such a network. */
export type ClientAddress = (c: RequestContext) => string;

/** The networks of a list of addresses and CIDR ranges with commas between them; null if one of them is malformed. */
export function parseNetworks(text: string): BlockList | null {
  const networks = new BlockList();
  for (const entry of text.split(',')) {
    const [, address = '', prefix] = /^\s*([^/\s]+)(?:\/(\d{1,3}))?\s*$/.exec(entry) ?? [];
    const version = isIP(address);
    const bits = version === 4 ? 32 : 128;
    if (version === 0 || Number(prefix ?? bits) > bits) return null;
    networks.addSubnet(address, Number(prefix ?? bits), version === 4 ? 'ipv4' : 'ipv6');
  }
  return networks;
}

/** Where a request comes from. */
export interface ClientOrigin {
  /** In one form for each address, IPv4 within IPv6 as IPv4; empty when unknown. */
  readonly address: string;
  /** Whether a trusted proxy has passed the request on, so that its headers count. */
  readonly isProxied: boolean;
}

/** The address of a caller for limits, as it is counted. */
export const limitedAddress = (text: string): string => {
  const address = normalAddress(text);
  if (address === null) return '';
  return isIPv4(address) ? address : networkOf(address);
};

/** The address of each caller for limits. */
export function createClientAddress(trustedProxies: BlockList | null): ClientAddress {
  const originOf = createClientOrigin(trustedProxies);
  return (c) => limitedAddress(originOf(c).address);
}

/**
 * The address is the socket's. If that is a trusted proxy, it is the right-most address of `X-Forwarded-For` that is none:
 * what stands left of it may come from the caller. A malformed entry counts as the proxy that passed it on.
 */
export function createClientOrigin(trustedProxies: BlockList | null): (c: RequestContext) => ClientOrigin {
  const isTrusted = (address: string) => trustedProxies?.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') === true;
  return (c) => {
    let address = normalAddress(remoteAddress(c));
    if (address === null) return { address: '', isProxied: false };
    const isProxied = isTrusted(address);
    if (isProxied) {
      const entries = c.req.header('x-forwarded-for')?.split(',') ?? [];
      for (const entry of entries.reverse()) {
        const forwarded = normalAddress(entry.trim());
        if (forwarded === null) break;
        address = forwarded;
        if (!isTrusted(address)) break;
      }
    }
    return { address, isProxied };
  };
}

/** An address without port, brackets and zone, an IPv4 address within IPv6 as the former; null if it is none. */
function normalAddress(text: string): string | null {
  const withoutPort = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const bytes = parseAddress(withoutPort.replace(/%.*$/, ''));
  return bytes === null ? null : textOfAddress(bytes);
}

const networkOf = (address: string) => `${address.split(':').slice(0, 4).join(':')}::/64`;
