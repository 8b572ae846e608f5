/** The bytes of an IP address: 4 or 16. */
export type AddressBytes = readonly number[];

const IPV4_BYTES = 4;
const IPV6_GROUPS = 8;

/**
 * Parses an IP address in the forms of RFC 4291 and dotted decimals; null for anything else. Other forms, such as
 * `0x7f.1`, `010.0.0.1` or one with a zone, are no addresses here, so that no two readers can disagree about them.
 */
export const parseAddress = (text: string): AddressBytes | null =>
  text.includes(':') ? parseIpv6(text) : parseIpv4(text);

function parseIpv4(text: string): AddressBytes | null {
  const parts = text.split('.');
  if (parts.length !== IPV4_BYTES || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) return null;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte < 256) ? bytes : null;
}

function parseIpv6(text: string): AddressBytes | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [first, last] = halves.map((half, position) => parseGroups(half, position === halves.length - 1));
  if (first === null || first === undefined || last === null) return null;
  if (last === undefined) return first.length === IPV6_GROUPS ? toBytes(first) : null;
  const missing = IPV6_GROUPS - first.length - last.length;
  return missing < 1 ? null : toBytes([...first, ...Array.from({ length: missing }, () => 0), ...last]);
}

/** The groups of one half of an address; only the end of an address can be dotted decimals. */
function parseGroups(text: string, isEnd: boolean): readonly number[] | null {
  if (text === '') return [];
  const parts = text.split(':');
  const dotted = isEnd && parts.at(-1)?.includes('.') === true ? parseIpv4(parts.pop() ?? '') : [];
  if (dotted === null || !parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return null;
  const [a, b, c, d] = dotted;
  const tail =
    a === undefined || b === undefined || c === undefined || d === undefined ? [] : [a * 256 + b, c * 256 + d];
  return [...parts.map((part) => Number.parseInt(part, 16)), ...tail];
}

const toBytes = (groups: readonly number[]): AddressBytes => groups.flatMap((group) => [group >> 8, group & 255]);
