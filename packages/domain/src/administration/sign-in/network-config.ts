import { patchResource } from '../../basics/json-patch/resource.ts';
import { isArray, isObject } from '../../basics/json-patch/value.ts';
import { type Failure, failure } from '../../basics/result/failure.ts';
import { failureOf, type Issue } from '../../basics/result/issue.ts';
import { fail, ok, type Result } from '../../basics/result/result.ts';
import { type AddressRanges, compileRanges, isAddressRange } from '../network/ranges.ts';
import { parseFlag } from './fields.ts';

/** From where the identities of a tenant sign in. Auth profiles decide whether it is asked. */
export interface NetworkConfig {
  /** IPv4 and IPv6 addresses, and ranges of them such as `10.0.0.0/8`; null or empty when none are configured. */
  readonly range: readonly string[] | null;
  /** Countries as two capital letters; null or empty when none are configured. */
  readonly geolocation: readonly string[] | null;
  /** Whether the countries are the only trusted ones; otherwise they are the untrusted ones. */
  readonly whitelisted: boolean;
}

/** The most ranges of a network config. */
export const NETWORK_RANGES_MAX = 500;

/** The most countries of a network config: every pair of letters. */
export const NETWORK_COUNTRIES_MAX = 676;

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

/**
 * Parses a network config; a list left out is null. Fails with `LimitExceeded` for more ranges or countries than allowed, and
 * with `IllegalValue`.
 */
export function parseNetworkConfig(value: unknown): Result<NetworkConfig, Failure> {
  const given = isObject(value) ? value : {};
  const range = parseTexts(given['range'], RANGE);
  if (!range.ok) return range;
  const geolocation = parseTexts(given['geolocation'], GEOLOCATION);
  if (!geolocation.ok) return geolocation;
  const whitelisted = parseFlag(given['whitelisted'], 'whitelisted');
  if (!whitelisted.ok) return whitelisted;
  return ok({ range: range.value, geolocation: geolocation.value, whitelisted: whitelisted.value });
}

/** Whether a text is a country: two capital letters. */
export const isCountry = (text: string): boolean => /^[A-Z]{2}$/.test(text);

interface TextsRule {
  readonly at: 'range' | 'geolocation';
  readonly max: number;
  readonly isLegal: (text: string) => boolean;
  readonly what: string;
}

const RANGE: TextsRule = {
  at: 'range',
  max: NETWORK_RANGES_MAX,
  isLegal: isAddressRange,
  what: 'must be an IPv4 or IPv6 address, or a range of them such as 10.0.0.0/8 or 2001:db8::/32',
};

const GEOLOCATION: TextsRule = {
  at: 'geolocation',
  max: NETWORK_COUNTRIES_MAX,
  isLegal: isCountry,
  what: 'must be a country as two capital letters, such as CH',
};

function parseTexts(value: unknown, rule: TextsRule): Result<readonly string[] | null, Failure> {
  const { at, max, isLegal, what } = rule;
  if (value === null || value === undefined) return ok(null);
  if (!isArray(value)) return fail(failure('IllegalValue', at, 'must be an array of texts or null'));
  if (value.length > max) return fail(failure('LimitExceeded', at, `must have at most ${max} items`));
  const texts: string[] = [];
  const issues: Issue[] = [];
  for (const [place, text] of value.entries()) {
    if (typeof text === 'string' && isLegal(text)) texts.push(text);
    else issues.push({ type: 'IllegalValue', at: `${at}[${place}]`, text: what });
  }
  const failed = failureOf(issues);
  return failed === null ? ok(texts) : fail(failed);
}

/** Patches of a network config. Fail as `parseNetworkConfig` does for the result; a removed list is null. */
export const { parse: parseNetworkConfigPatch, apply: patchNetworkConfig } = patchResource<
  NetworkConfig,
  NetworkConfig
>(parseNetworkConfig, {
  range: 'list',
  geolocation: 'list',
  whitelisted: 'scalar',
});
