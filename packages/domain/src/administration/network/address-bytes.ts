/** The bytes of an IP address: 4 or 16. */
export type AddressBytes = readonly number[];

const IPV4_BYTES = 4;
const IPV6_BYTES = 16;

/** The first bytes of an IPv4 address within IPv6. */
export const MAPPED: AddressBytes = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255];

/**
 * Parses an IP address in the forms of RFC 4291 and dotted decimals; null for anything else. Other forms, such as
 * `0x7f.1`, `010.0.0.1` or one with a zone, are no addresses here, so that no two readers can disagree about them.
 */
export const parseAddress = (text: string): AddressBytes | null =>
  text.includes(':') ? parseIpv6(text) : parseIpv4(text, 0);

/** The one form of an address: IPv4 within IPv6 is IPv4, and IPv6 has eight groups without leading zeros. */
export function textOfAddress(bytes: AddressBytes): string {
  if (bytes.length === IPV4_BYTES) return bytes.join('.');
  if (MAPPED.every((byte, at) => byte === bytes[at])) return bytes.slice(MAPPED.length).join('.');
  const groups = bytes.flatMap((byte, at) => (at % 2 === 0 ? [] : ((bytes[at - 1] ?? 0) * 256 + byte).toString(16)));
  return groups.join(':');
}

// Characters are read one by one: decisions to sign in parse the address of each client.
function parseIpv4(text: string, from: number): AddressBytes | null {
  const bytes: number[] = [];
  let at = from;
  while (bytes.length < IPV4_BYTES) {
    const start = at;
    let byte = 0;
    while (isDigit(text.charCodeAt(at))) byte = byte * 10 + text.charCodeAt(at++) - ZERO;
    const digits = at - start;
    if (digits === 0 || digits > 3 || byte > 255 || (digits > 1 && text.charCodeAt(start) === ZERO)) return null;
    bytes.push(byte);
    if (bytes.length < IPV4_BYTES && text[at++] !== '.') return null;
  }
  return at === text.length ? bytes : null;
}

function parseIpv6(text: string): AddressBytes | null {
  const bytes: number[] = [];
  let gap = text.startsWith('::') ? 0 : -1;
  let at = gap === 0 ? 2 : 0;
  while (at < text.length) {
    const colon = text.indexOf(':', at);
    const end = colon === -1 ? text.length : colon;
    const group = parseGroup(text, at, end);
    if (group === -1) {
      // Only the end of an address can be dotted decimals.
      const dotted = colon === -1 ? parseIpv4(text, at) : null;
      if (dotted === null) return null;
      bytes.push(...dotted);
      break;
    }
    bytes.push(group >> 8, group & 255);
    if (colon === -1) break;
    at = colon + 1;
    if (text[at] === ':') {
      if (gap !== -1) return null;
      gap = bytes.length;
      at++;
    } else if (at === text.length) return null;
  }
  if (gap === -1) return bytes.length === IPV6_BYTES ? bytes : null;
  const missing = IPV6_BYTES - bytes.length;
  if (missing < 2) return null;
  return [...bytes.slice(0, gap), ...ZEROS.slice(0, missing), ...bytes.slice(gap)];
}

/** The number of 1 to 4 hexadecimal digits; -1 for anything else. */
function parseGroup(text: string, from: number, to: number): number {
  if (to === from || to - from > 4) return -1;
  let group = 0;
  for (let at = from; at < to; at++) {
    const digit = hexDigit(text.charCodeAt(at));
    if (digit === -1) return -1;
    group = group * 16 + digit;
  }
  return group;
}

const ZEROS: AddressBytes = Array.from({ length: IPV6_BYTES }, () => 0);
const ZERO = 48;

const isDigit = (code: number) => code >= ZERO && code <= 57;

function hexDigit(code: number): number {
  if (isDigit(code)) return code - ZERO;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}
