import type { Issue } from '../../basics/result/issue.ts';

/** The largest picture, in bytes. */
export const LOGO_BYTES_MAX = 64 * 1024;

/** The widest and the highest picture, in pixels: a small file can hold one that exhausts the memory of a browser. */
export const LOGO_PIXELS_MAX = 1024;

const PREFIX = 'data:image/png;base64,';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

// A PNG begins with its signature and the length and the name of its header, then width and height, each in four bytes.
const PNG_START = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
const HEAD_BYTES = PNG_START.length + 8;

/** The characters of a logo by which `isLogo` knows it. */
export const LOGO_HEAD_LENGTH = PREFIX.length + (HEAD_BYTES / 3) * 4;

/** Why a `data:` URL is no logo; null where it is one. */
export function logoIssue(url: string): Omit<Issue, 'at'> | null {
  if (url === '') return { type: 'LengthOutOfRange', text: 'must not be empty: null resets it' };
  if (!url.startsWith(PREFIX)) return NO_PNG;
  if (bytesOfLogo(url) > LOGO_BYTES_MAX)
    return { type: 'LengthOutOfRange', text: `must be a picture of at most ${LOGO_BYTES_MAX} bytes` };
  if (url.length % 4 !== PREFIX.length % 4 || !/^[A-Za-z0-9+/]+={0,2}$/.test(url.slice(PREFIX.length))) return NO_PNG;
  const size = bytesOfLogo(url) < HEAD_BYTES ? null : sizeOfPng(url);
  if (size === null) return NO_PNG;
  if (!size.every((pixels) => pixels > 0 && pixels <= LOGO_PIXELS_MAX))
    return { type: 'LengthOutOfRange', text: `must be a picture of 1 to ${LOGO_PIXELS_MAX} pixels in each direction` };
  return null;
}

/** Whether a stored text begins as a logo does. Earlier versions took other formats, which are shown no more. */
export const isLogo = (head: string): boolean => logoIssue(head.slice(0, LOGO_HEAD_LENGTH)) === null;

/** The size of the picture of a logo, in bytes. */
export const bytesOfLogo = (url: string): number =>
  ((url.length - PREFIX.length) / 4) * 3 - (/={0,2}$/.exec(url.slice(-2))?.[0].length ?? 0);

/** The picture of a logo, in base64. */
export const pictureOfLogo = (url: string): string => url.slice(PREFIX.length);

const NO_PNG = {
  type: 'IllegalValue',
  text: 'must be a PNG as a data: URL that begins with data:image/png;base64,',
} as const;

/** Width and height as the header has them; null where the content is no PNG. */
function sizeOfPng(url: string): readonly [number, number] | null {
  const head = fromBase64(url.slice(PREFIX.length, LOGO_HEAD_LENGTH));
  if (!PNG_START.every((byte, at) => head[at] === byte)) return null;
  const numberAt = (start: number) => head.slice(start, start + 4).reduce((number, byte) => number * 256 + byte, 0);
  return [numberAt(PNG_START.length), numberAt(PNG_START.length + 4)];
}

/** The bytes of whole groups of four digits. By hand, because this package has only what JavaScript itself has. */
function fromBase64(text: string): readonly number[] {
  const bytes: number[] = [];
  for (let at = 0; at + 4 <= text.length; at += 4) {
    const group = [...text.slice(at, at + 4)].reduce((bits, digit) => bits * 64 + BASE64.indexOf(digit), 0);
    bytes.push((group >> 16) & 0xff, (group >> 8) & 0xff, group & 0xff);
  }
  return bytes;
}
