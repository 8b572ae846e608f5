import type { TextIssue } from '../../basics/result/text.ts';

/** Of the decoded picture. */
export const LOGO_BYTES_MAX = 64 * 1024;

/** In each direction: a small file can decode to a picture that exhausts a browser's memory. */
export const LOGO_PIXELS_MAX = 1024;

/** How the `data:` URL of a logo begins. */
export const LOGO_PREFIX = 'data:image/png;base64,';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

// The PNG signature, then the length and type of the IHDR chunk. Width and height follow, in four bytes each.
const PNG_START = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
const HEADER_BYTES = PNG_START.length + 8;

/** The longest `data:` URL of a logo, in characters. */
export const LOGO_LENGTH_MAX = LOGO_PREFIX.length + Math.ceil(LOGO_BYTES_MAX / 3) * 4;

/** The length of the prefix that `isLogo` checks, in characters. */
export const LOGO_HEAD_LENGTH = LOGO_PREFIX.length + (HEADER_BYTES / 3) * 4;

/** Validates the `data:` URL of a logo; null if it is valid. */
export function logoIssue(url: string): TextIssue | null {
  if (!url.startsWith(LOGO_PREFIX)) return NOT_A_PNG;
  if (bytesOfLogo(url) > LOGO_BYTES_MAX)
    return { type: 'LengthOutOfRange', text: `must be a picture of at most ${LOGO_BYTES_MAX} bytes` };
  if (url.length % 4 !== LOGO_PREFIX.length % 4 || !/^[A-Za-z0-9+/]+={0,2}$/.test(url.slice(LOGO_PREFIX.length)))
    return NOT_A_PNG;
  const size = bytesOfLogo(url) < HEADER_BYTES ? null : sizeOfPng(url);
  if (size === null) return NOT_A_PNG;
  if (!size.every((pixels) => pixels > 0 && pixels <= LOGO_PIXELS_MAX))
    return { type: 'LengthOutOfRange', text: `must be a picture of 1 to ${LOGO_PIXELS_MAX} pixels in each direction` };
  return null;
}

/** True if a stored text begins like a logo. Earlier versions accepted other formats, which are no longer shown. */
export const isLogo = (head: string): boolean => logoIssue(head.slice(0, LOGO_HEAD_LENGTH)) === null;

/** The decoded size, in bytes. */
export const bytesOfLogo = (url: string): number =>
  ((url.length - LOGO_PREFIX.length) / 4) * 3 - (/={0,2}$/.exec(url.slice(-2))?.[0].length ?? 0);

/** The content in base64. */
export const pictureOfLogo = (url: string): string => url.slice(LOGO_PREFIX.length);

const NOT_A_PNG = {
  type: 'IllegalValue',
  text: 'must be a PNG as a data: URL that begins with data:image/png;base64,',
} as const;

/** Reads width and height from the header; null if the content is not a PNG. */
function sizeOfPng(url: string): readonly [number, number] | null {
  const head = fromBase64(url.slice(LOGO_PREFIX.length, LOGO_HEAD_LENGTH));
  if (!PNG_START.every((byte, at) => head[at] === byte)) return null;
  const numberAt = (start: number) => head.slice(start, start + 4).reduce((number, byte) => number * 256 + byte, 0);
  return [numberAt(PNG_START.length), numberAt(PNG_START.length + 4)];
}

/** Decodes whole groups of four digits. `Buffer` and `atob` are not available, because this package uses only ECMAScript. */
function fromBase64(text: string): readonly number[] {
  const bytes: number[] = [];
  for (let at = 0; at + 4 <= text.length; at += 4) {
    const group = [...text.slice(at, at + 4)].reduce((bits, digit) => bits * 64 + BASE64.indexOf(digit), 0);
    bytes.push((group >> 16) & 0xff, (group >> 8) & 0xff, group & 0xff);
  }
  return bytes;
}
