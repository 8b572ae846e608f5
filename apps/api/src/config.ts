import { readFileSync } from 'node:fs';
import type { BlockList } from 'node:net';
import { join } from 'node:path';
import { RATE_LIMIT_DEFAULT } from '@access-admin/contract';
import { type Result, TENANT_NAME } from '@access-admin/domain';
import { createTake, type Env, parseSharedConfig, type SharedConfig, type Variable } from '@access-admin/store';
import { parseTelemetryConfig, type TelemetryConfig } from '@access-admin/telemetry';
import { AUTH_CLAIMS_RULE, type ClaimMapping, parseClaimMapping, STANDARD_CLAIMS } from './auth/external-claims.ts';
import { parseNetworks } from './http/client-address.ts';
import type { ExperimentalHeader } from './middleware/experimental.ts';
import { COUNTRY_DATABASE_RULE, parseCountryDatabase } from './sign-in/country-database.ts';
import { parseSignInApplications, type SignInApplication } from './sign-in/factors/applications.ts';
import type { CountryOf } from './sign-in/origin.ts';

/** How many requests one client may make in a window. */
export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** An external issuer whose tokens are accepted too. */
export interface ExternalIssuer {
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly audience: string;
  readonly claims: ClaimMapping;
}

export interface Config extends SharedConfig, TelemetryConfig {
  readonly port: number;
  readonly tenant: string;
  readonly bootstrapClientId: string | null;
  readonly bootstrapClientSecret: string | null;
  /** Null when limiting is off. */
  readonly rateLimit: RateLimit | null;
  readonly externalIssuer: ExternalIssuer | null;
  /** The proxies whose `X-Forwarded-For` counts; null without any. */
  readonly trustedProxies: BlockList | null;
  /** The header with the country of a request, which trusted proxies set; null without one. */
  readonly countryHeader: string | null;
  /** The country of an address; null for all without a database. */
  readonly countryOf: CountryOf;
  /** Whether experimental operations need their header. */
  readonly experimentalHeader: ExperimentalHeader;
  /** Where the built console is, if it is; null where it is not to be served. */
  readonly consoleFolder: string | null;
  /** The applications that verify users in place of our own passwords. */
  readonly signInApplications: readonly SignInApplication[];
}

// As seen from the sources and from the build.
const CONSOLE_FOLDER = join(import.meta.dirname, '../../console/dist');
const RATE_LIMIT = /^(\d{1,9})\/(\d{1,6})s$/;

const VARIABLES = {
  TENANT: { fallback: 'default', isGood: (text) => TENANT_NAME.test(text), rule: '1 to 63 of a-z, 0-9 and -' },
  BOOTSTRAP_CLIENT_ID: {
    fallback: '',
    isGood: (text) => /^[A-Za-z0-9:_.-]{0,128}$/.test(text),
    rule: 'at most 128 of letters, digits and : _ . -',
  },
  BOOTSTRAP_CLIENT_SECRET: {
    fallback: '',
    // The characters that RFC 6749 allows in a secret.
    isGood: (text) => /^[\x20-\x7e]{0,256}$/.test(text),
    rule: 'at most 256 visible ASCII characters',
  },
  RATE_LIMIT: {
    fallback: `${RATE_LIMIT_DEFAULT.requests}/${RATE_LIMIT_DEFAULT.windowSeconds}s`,
    isGood: (text) => text === 'off' || parseRateLimit(text) !== null,
    rule: 'off or <requests>/<seconds>s, for example 1000/10s',
  },
  TRUSTED_PROXIES: {
    fallback: '',
    isGood: (text) => text === '' || parseNetworks(text) !== null,
    rule: 'addresses and CIDR ranges with commas between them, for example 10.0.0.0/8,::1',
  },
  COUNTRY_HEADER: {
    fallback: '',
    isGood: (text) => /^[A-Za-z0-9-]{0,64}$/.test(text),
    rule: 'the name of a header, for example CF-IPCountry',
  },
  CONSOLE: { fallback: 'on', isGood: (text) => text === 'on' || text === 'off', rule: 'on or off' },
  EXPERIMENTAL_HEADER: {
    fallback: 'required',
    isGood: (text) => text === 'required' || text === 'optional',
    rule: 'required or optional',
  },
} as const satisfies Record<string, Variable>;

/** Reads a file whose path is configured. */
type ReadBytes = (path: string) => Buffer;

/** Reads the configuration from the environment; the failure lists all issues. */
export function parseConfig(env: Env, readBytes: ReadBytes = readFileSync): Result<Config, readonly string[]> {
  const faults: string[] = [];
  const shared = parseSharedConfig(env, faults);
  const take = createTake(VARIABLES, env, faults);
  const config: Config = {
    ...shared,
    tenant: take('TENANT'),
    bootstrapClientId: take('BOOTSTRAP_CLIENT_ID') || null,
    bootstrapClientSecret: take('BOOTSTRAP_CLIENT_SECRET') || null,
    rateLimit: parseRateLimit(take('RATE_LIMIT')),
    trustedProxies: parseTrustedProxies(take('TRUSTED_PROXIES')),
    countryHeader: take('COUNTRY_HEADER').toLowerCase() || null,
    countryOf: readCountries(env, faults, readBytes),
    consoleFolder: take('CONSOLE') === 'off' ? null : CONSOLE_FOLDER,
    experimentalHeader: take('EXPERIMENTAL_HEADER') === 'optional' ? 'optional' : 'required',
    signInApplications: readApplications(env, faults, readBytes),
    externalIssuer: parseExternalIssuer(env, faults, shared.baseAddress),
    ...parseTelemetryConfig({ ...env, PORT: String(shared.port) }, faults),
  };
  return faults.length > 0 ? { ok: false, failure: faults } : { ok: true, value: config };
}

function readApplications(env: Env, faults: string[], readBytes: ReadBytes): readonly SignInApplication[] {
  const path = env['SIGN_IN_APPLICATIONS'] ?? '';
  if (path === '') return [];
  const content = contentOf(path, readBytes);
  if (content === null) {
    faults.push('SIGN_IN_APPLICATIONS: the file cannot be read.');
    return [];
  }
  const applications = parseSignInApplications(content.toString('utf8'), (file) => readBytes(file).toString('utf8'));
  if (applications.ok) return applications.value;
  faults.push(...applications.failure.map((fault) => `SIGN_IN_APPLICATIONS: the file ${fault}.`));
  return [];
}

function readCountries(env: Env, faults: string[], readBytes: ReadBytes): CountryOf {
  const path = env['GEOIP_DATABASE'] ?? '';
  const content = path === '' ? null : contentOf(path, readBytes);
  const countryOf = path === '' ? () => null : content && parseCountryDatabase(content);
  if (countryOf === null) faults.push(`GEOIP_DATABASE must be ${COUNTRY_DATABASE_RULE}.`);
  return countryOf ?? (() => null);
}

/** The content of a file; null if it cannot be read. */
function contentOf(path: string, readBytes: ReadBytes): Buffer | null {
  try {
    return readBytes(path);
  } catch {
    return null;
  }
}

function parseRateLimit(text: string): RateLimit | null {
  const [, requests, windowSeconds] = RATE_LIMIT.exec(text) ?? [];
  return Number(requests) > 0 && Number(windowSeconds) > 0
    ? { requests: Number(requests), windowSeconds: Number(windowSeconds) }
    : null;
}

const parseTrustedProxies = (text: string): BlockList | null => (text === '' ? null : parseNetworks(text));

function parseExternalIssuer(env: Env, faults: string[], baseAddress: string): ExternalIssuer | null {
  const issuer = env['AUTH_ISSUER'] ?? '';
  const jwksUrl = env['AUTH_JWKS_URL'] ?? '';
  const mapping = env['AUTH_CLAIMS'] ?? '';
  if (issuer === '' && jwksUrl === '' && (env['AUTH_AUDIENCE'] ?? '') === '' && mapping === '') return null;
  if (issuer === '') faults.push('AUTH_ISSUER must be given with AUTH_JWKS_URL, AUTH_AUDIENCE or AUTH_CLAIMS.');
  const jwks = URL.parse(jwksUrl);
  // Keys are public; `fetch` refuses an address with credentials, and would log it.
  if (!/^https?:$/.test(jwks?.protocol ?? '') || jwks?.username !== '' || jwks.password !== '')
    faults.push('AUTH_JWKS_URL must be an http or https address without user and password.');
  if (baseAddress.includes('{tenant}') && (env['AUTH_AUDIENCE'] ?? '') === '')
    faults.push('AUTH_AUDIENCE must be given where BASE_ADDRESS holds {tenant}.');
  const claims = mapping === '' ? STANDARD_CLAIMS : parseClaimMapping(mapping);
  if (claims === null) faults.push(`AUTH_CLAIMS must be ${AUTH_CLAIMS_RULE}.`);
  return { issuer, jwksUrl, audience: env['AUTH_AUDIENCE'] || baseAddress, claims: claims ?? STANDARD_CLAIMS };
}

/** The part of the configuration that the application reads. */
export type AppConfig = Pick<
  Config,
  | 'baseAddress'
  | 'tenant'
  | 'rateLimit'
  | 'externalIssuer'
  | 'cacheBytes'
  | 'logLevel'
  | 'metricsPort'
  | 'metricsToken'
  | 'trustedProxies'
  | 'webhookTargets'
  | 'mail'
  | 'countryHeader'
  | 'countryOf'
  | 'experimentalHeader'
  | 'signInApplications'
  | 'consoleFolder'
>;
