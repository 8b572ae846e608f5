import { compareTexts } from '../../basics/order/compare-texts.ts';
import { countBefore } from '../../basics/order/count-before.ts';
import { type AddressBytes, MAPPED, parseAddress } from './address-bytes.ts';

/** Ranges of addresses, prepared for look-ups: sorted, and merged where they touch or overlap. */
export interface AddressRanges {
  /** The first and the last address of each range, as keys that sort like the addresses. */
  readonly firsts: readonly string[];
  readonly lasts: readonly string[];
}

interface AddressRange {
  readonly first: string;
  readonly last: string;
}

const IPV4_BITS = 32;
const IPV6_BITS = 128;
const MAPPED_KEY = String.fromCharCode(...MAPPED);

/** Whether a text is an address, or an address and a length of its prefix such as `10.0.0.0/8` or `2001:db8::/32`. */
export const isAddressRange = (text: string): boolean => parseRange(text) !== null;

/** Prepares ranges for look-ups. Texts that are no ranges are left out. */
export function compileRanges(texts: readonly string[]): AddressRanges {
  const ranges = texts.flatMap((text) => parseRange(text) ?? []).sort((a, b) => compareTexts(a.first, b.first));
  const firsts: string[] = [];
  const lasts: string[] = [];
  for (const { first, last } of ranges) {
    const before = lasts.at(-1);
    if (before === undefined || before < first) {
      firsts.push(first);
      lasts.push(last);
    } else if (before < last) lasts[lasts.length - 1] = last;
  }
  return { firsts, lasts };
}

/** Whether an address is in one of the ranges. A text that is no address is in none. */
export function isInRanges(text: string, { firsts, lasts }: AddressRanges): boolean {
  const bytes = parseAddress(text);
  if (bytes === null) return false;
  const key = keyOf(bytes);
  const begun = countBefore(firsts.length, (at) => (firsts[at] ?? '') <= key);
  return begun > 0 && key <= (lasts[begun - 1] ?? '');
}

/** Bits of the address beyond the prefix are ignored: `10.1.2.3/8` is `10.0.0.0/8`. */
function parseRange(text: string): AddressRange | null {
  const [address = '', length, ...rest] = text.split('/');
  const bytes = parseAddress(address);
  if (bytes === null || rest.length > 0) return null;
  const bits = 8 * bytes.length;
  const prefix = length === undefined ? bits : parsePrefix(length, bits);
  if (prefix === null) return null;
  const fixedBits = prefix + (bits === IPV4_BITS ? IPV6_BITS - IPV4_BITS : 0);
  const all = toIpv6(bytes);
  const hostMaskOf = (position: number) => 0xff >> Math.min(8, Math.max(0, fixedBits - 8 * position));
  return {
    first: keyOf(all.map((byte, position) => byte & ~hostMaskOf(position))),
    last: keyOf(all.map((byte, position) => byte | hostMaskOf(position))),
  };
}

function parsePrefix(text: string, bitsMax: number): number | null {
  return /^(0|[1-9]\d{0,2})$/.test(text) && Number(text) <= bitsMax ? Number(text) : null;
}

/** An IPv4 address is its mapped form: `10.0.0.1` and `::ffff:10.0.0.1` are one address, and `::/0` contains both. */
const toIpv6 = (bytes: AddressBytes): AddressBytes => (bytes.length === 4 ? [...MAPPED, ...bytes] : bytes);

/** Texts of 16 characters below U+0100 compare like the bytes. */
const keyOf = (bytes: AddressBytes): string =>
  bytes.length === 4 ? MAPPED_KEY + String.fromCharCode(...bytes) : String.fromCharCode(...bytes);
