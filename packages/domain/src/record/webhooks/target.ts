import { validateAddress } from '../../administration/network/validate-address.ts';
import { type Failure, failure } from '../../basics/result/failure.ts';

/** The parts of a URL that the WHATWG parser has read; its host has the one form that connections use. */
export interface UrlParts {
  /** With its colon. */
  readonly protocol: string;
  /** IPv6 addresses are in brackets. */
  readonly hostname: string;
  /** Empty for the protocol's own. */
  readonly port: string;
  readonly origin: string;
}

const PORTS = ['', '443', '8443'];

/**
 * Whether the configuration lets a webhook have this URL, whose text its schema has validated: one of the origins `targets`,
 * which the operator has listed, or https on port 443 or 8443 and no address that is not public. Null if it does. Which
 * addresses its name resolves to is judged at each delivery.
 */
export function validateTarget(url: UrlParts, targets: ReadonlySet<string>): Failure | null {
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
