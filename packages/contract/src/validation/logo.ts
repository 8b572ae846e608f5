import type { TextIssue } from '@access-admin/domain';
import { LOGO_BYTES_MAX, LOGO_PIXELS_MAX } from '../limits.ts';

/** How the `data:` URL of a logo begins. */
export const LOGO_PREFIX = 'data:image/png;base64,';
/** The longest `data:` URL of a logo, in characters. */
export const LOGO_LENGTH_MAX = LOGO_PREFIX.length + 4 * Math.ceil(LOGO_BYTES_MAX / 3);

// The PNG signature, then the length and type of the IHDR chunk, a character for each byte. Width and height follow, in four bytes each.
const PNG_START = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';
const WIDTH_AT = PNG_START.length;
const HEIGHT_AT = WIDTH_AT + 4;
const HEADER_BYTES = HEIGHT_AT + 4;

const NOT_A_PNG: TextIssue = {
  type: 'IllegalValue',
  text: `must be a PNG as a data: URL that begins with ${LOGO_PREFIX}`,
};
const TOO_LARGE: TextIssue = {
  type: 'LengthOutOfRange',
  text: `must be a picture of at most ${LOGO_BYTES_MAX} bytes`,
};
const ILLEGAL_SIZE: TextIssue = {
  type: 'LengthOutOfRange',
  text: `must be a picture of 1 to ${LOGO_PIXELS_MAX} pixels in each direction`,
};

/** The issues of the `data:` URL of a logo. Width and height are those of the header: the picture is not decoded. */
export function logoIssues(url: string): readonly TextIssue[] {
  if (!url.startsWith(LOGO_PREFIX)) return [NOT_A_PNG];
  if (url.length > LOGO_LENGTH_MAX) return [TOO_LARGE];
  const base64 = url.slice(LOGO_PREFIX.length);
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return [NOT_A_PNG];
  const file = atob(base64);
  if (file.length > LOGO_BYTES_MAX) return [TOO_LARGE];
  if (file.length < HEADER_BYTES || !file.startsWith(PNG_START)) return [NOT_A_PNG];
  const size = [numberAt(file, WIDTH_AT), numberAt(file, HEIGHT_AT)];
  return size.every((pixels) => pixels > 0 && pixels <= LOGO_PIXELS_MAX) ? [] : [ILLEGAL_SIZE];
}

/** The number in four bytes, the highest first. */
const numberAt = (file: string, start: number): number =>
  [0, 1, 2, 3].reduce((number, at) => number * 256 + file.charCodeAt(start + at), 0);
