import { type AddressRanges, compileRanges } from '../network/ranges.ts';

/** From where the identities of a tenant sign in. Auth profiles decide whether it is asked. */
export interface NetworkConfig {
  /** IPv4 and IPv6 addresses, and ranges of them such as `10.0.0.0/8`; null or empty when none are configured. */
  readonly range: readonly string[] | null;
  /** Countries as two capital letters; null or empty when none are configured. */
  readonly geolocation: readonly string[] | null;
  /** Whether the countries are the only trusted ones; otherwise they are the untrusted ones. */
  readonly whitelisted: boolean;
}

/** The network config of a tenant that has not set one. */
export const DEFAULT_NETWORK_CONFIG: NetworkConfig = { range: null, geolocation: null, whitelisted: false };

/** A network config prepared for decisions; null for what is not configured. */
export interface CompiledNetwork {
  readonly ranges: AddressRanges | null;
  readonly countries: ReadonlySet<string> | null;
  readonly whitelisted: boolean;
}

/** Prepares a network config for decisions. */
export const compileNetwork = ({ range, geolocation, whitelisted }: NetworkConfig): CompiledNetwork => ({
  ranges: range === null || range.length === 0 ? null : compileRanges(range),
  countries: geolocation === null || geolocation.length === 0 ? null : new Set(geolocation),
  whitelisted,
});

/** A country: two capital letters. */
export const COUNTRY = /^[A-Z]{2}$/;
