import { type AddressBytes, parseAddress } from './address-bytes.ts';
import { SPECIAL_IPV4, SPECIAL_IPV6, type SpecialRange } from './special-addresses.ts';

interface Prefix {
  readonly bytes: AddressBytes;
  readonly bits: number;
  readonly what: string;
}

const toPrefix = ({ range, what }: SpecialRange): Prefix => {
  const [first = '', bits] = range.split('/');
  return { bytes: parseAddress(first) ?? [], bits: Number(bits), what };
};

const IPV4_PREFIXES = SPECIAL_IPV4.map(toPrefix);
const IPV6_PREFIXES = SPECIAL_IPV6.map(toPrefix);
/** The only range of IPv6 that is assigned to hosts of the Internet. */
const GLOBAL_UNICAST = toPrefix({ range: '2000::/3', what: 'global unicast' });

/** The interface identifiers of ISATAP, which contain an IPv4 address: bytes 8 to 11. */
const ISATAP = ['0,0,94,254', '2,0,94,254'];

/**
 * Null for an IP address of the public Internet, or what it is instead. Everything that cannot be read as an address, and
 * everything of IPv6 outside of the global unicast range, is refused.
 */
export function validateAddress(text: string): string | null {
  const bytes = parseAddress(text);
  if (bytes === null) return 'not readable';
  const isIpv4 = bytes.length === 4;
  const special = (isIpv4 ? IPV4_PREFIXES : IPV6_PREFIXES).find((prefix) => isWithin(bytes, prefix));
  if (special !== undefined) return special.what;
  if (isIpv4) return null;
  if (ISATAP.includes(bytes.slice(8, 12).join())) return 'ISATAP';
  return isWithin(bytes, GLOBAL_UNICAST) ? null : 'outside of global unicast';
}

function isWithin(address: AddressBytes, { bytes, bits }: Prefix): boolean {
  return bytes.every((byte, position) => {
    const counted = Math.min(8, Math.max(0, bits - 8 * position));
    const mask = (0xff00 >> counted) & 0xff;
    return (byte & mask) === ((address[position] ?? 0) & mask);
  });
}
