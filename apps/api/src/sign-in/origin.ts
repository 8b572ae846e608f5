import type { BlockList } from 'node:net';
import { COUNTRY } from '@access-admin/domain';
import type { RequestContext } from '../env.ts';
import { createClientOrigin } from '../http/client-address.ts';

/** From where an identity signs in. */
export interface SignInOrigin {
  /** In one form for each address; empty when unknown. */
  readonly address: string;
  /** Two capital letters; null when unknown. */
  readonly country: string | null;
}

/** From where a request comes. */
export type OriginOf = (c: RequestContext) => SignInOrigin;

/** The country of an address, as two capital letters; null when unknown. */
export type CountryOf = (address: string) => string | null;

export interface OriginConfig {
  readonly trustedProxies: BlockList | null;
  /** The header with the country, which counts where a trusted proxy sends it. */
  readonly countryHeader: string | null;
  readonly countryOf: CountryOf;
}

/** Codes that stand for an unknown country. */
const UNKNOWN = ['XX', 'ZZ'];

/** A code as a known country; null for anything else. */
export function knownCountry(code: unknown): string | null {
  if (typeof code !== 'string') return null;
  const country = code.trim().toUpperCase();
  return COUNTRY.test(country) && !UNKNOWN.includes(country) ? country : null;
}

/** Tells from where requests come: the country is that of a trusted proxy's header, else that of the address. */
export function createOriginOf({ trustedProxies, countryHeader, countryOf }: OriginConfig): OriginOf {
  const originOf = createClientOrigin(trustedProxies);
  return (c) => {
    const { address, isProxied } = originOf(c);
    const told = isProxied && countryHeader !== null ? knownCountry(c.req.header(countryHeader)) : null;
    return { address, country: told ?? countryOf(address) };
  };
}
