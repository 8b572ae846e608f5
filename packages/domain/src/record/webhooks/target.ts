import { validateAddress } from '../../administration/network/validate-address.ts';
import { type Failure, failure } from '../../basics/result/failure.ts';

/** The parts of a URL that the WHATWG parser has read; its host has the one form that connections use. */
export interface UrlParts {
  readonly href: string;
  /** With its colon. */
  readonly protocol: string;
  /** IPv6 addresses are in brackets. */
  readonly hostname: string;
  /** Empty for the protocol's own. */
  readonly port: string;
  readonly username: string;
  readonly password: string;
  readonly hash: string;
  readonly origin: string;
}

/** The longest URL of a webhook, in characters. */
export const WEBHOOK_URL_LENGTH_MAX = 2048;

const PORTS = ['', '443', '8443'];

/**
 * Whether a webhook may have this URL: https on port 443 or 8443 without credentials, and no address that is not public.
 * `targets` are origins that the operator has listed, for which only credentials are refused. Null if it may.
 */
export function validateTarget(url: UrlParts, targets: ReadonlySet<string>): Failure | null {
  if (url.href.length > WEBHOOK_URL_LENGTH_MAX)
    return failure('LengthOutOfRange', 'url', `must have at most ${WEBHOOK_URL_LENGTH_MAX} characters`);
  if (url.username !== '' || url.password !== '') return illegal('must not contain a user or a password');
  if (url.hash !== '') return illegal('must not contain a fragment, which is never sent');
  if (!/^https?:$/.test(url.protocol)) return illegal('must be an https address');
  if (targets.has(url.origin)) return null;
  if (url.protocol !== 'https:') return illegal('must be an https address, or its origin be listed in WEBHOOK_TARGETS');
  if (!PORTS.includes(url.port))
    return illegal('must have port 443 or 8443, or its origin be listed in WEBHOOK_TARGETS');
  const refused = refuseHost(url.hostname);
  return refused === null ? null : illegal(`must not name ${refused}, unless its origin is listed in WEBHOOK_TARGETS`);
}

function refuseHost(hostname: string): string | null {
  const address = addressInHost(hostname);
  if (address !== null) {
    const what = validateAddress(address);
    return what === null ? null : `an address that is not public (${what})`;
  }
  const name = hostname.replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') ? 'this machine' : null;
}

/** The IP address that a URL has instead of a name; null for a name. */
export function addressInHost(hostname: string): string | null {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return /^[\d.]+$/.test(hostname) ? hostname : null;
}

const illegal = (text: string): Failure => failure('IllegalValue', 'url', text);
