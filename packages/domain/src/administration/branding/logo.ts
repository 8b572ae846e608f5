import type { Issue } from '../../basics/result/issue.ts';
import { svgIssueText } from './svg-issue.ts';

/** The largest picture, in bytes. */
export const LOGO_BYTES_MAX = 64 * 1024;

/** The picture that a `data:` URL holds. */
export interface Logo {
  readonly mediaType: 'image/png' | 'image/svg+xml';
  readonly bytes: readonly number[];
}

const DATA_URL = /^data:(image\/png|image\/svg\+xml)((?:;(?:charset=utf-?8|utf-?8))?)(;base64)?,([^\s#]*)$/i;
const PNG_START = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The picture of a `data:` URL; null where it is none of a PNG or an SVG. */
export function parseLogo(url: string): Logo | null {
  const [, type = '', , base64, content = ''] = DATA_URL.exec(url) ?? [];
  if (type === '') return null;
  const bytes = base64 === undefined ? fromPercent(content) : fromBase64(content);
  if (bytes === null) return null;
  return { mediaType: type.toLowerCase() === 'image/png' ? 'image/png' : 'image/svg+xml', bytes };
}

/** Why a `data:` URL is no logo; null where it is one. */
export function logoIssue(url: string): Omit<Issue, 'at'> | null {
  if (url === '') return { type: 'LengthOutOfRange', text: 'must not be empty: null resets it' };
  const logo = parseLogo(url);
  if (logo === null)
    return { type: 'IllegalValue', text: 'must be a data: URL of a PNG (image/png) or an SVG (image/svg+xml)' };
  const { mediaType, bytes } = logo;
  if (bytes.length > LOGO_BYTES_MAX)
    return { type: 'LengthOutOfRange', text: `must be a picture of at most ${LOGO_BYTES_MAX} bytes` };
  const text = mediaType === 'image/png' ? pngIssueText(bytes) : svgBytesIssueText(bytes);
  return text === null ? null : { type: 'IllegalValue', text };
}

const pngIssueText = (bytes: readonly number[]): string | null =>
  PNG_START.every((byte, position) => bytes[position] === byte) ? null : 'must be a PNG, and its content is none';

function svgBytesIssueText(bytes: readonly number[]): string | null {
  const text = fromUtf8(bytes);
  return text === null ? 'must be in UTF-8' : svgIssueText(text);
}

// This package is pure JavaScript, so it decodes by hand what platforms have functions for.

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...BASE64].map((character, value) => [character, value]));

function fromBase64(given: string): readonly number[] | null {
  const text = fromUtf8(fromPercent(given) ?? []) ?? '';
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  const digits = text.replace(/=+$/, '');
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const digit of digits) {
    held = ((held << 6) | (VALUES.get(digit) ?? 0)) & 0xff_ff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return bytes;
}

/** The bytes of a text in which some are `%` and two digits; null where a `%` has no two digits. */
function fromPercent(text: string): readonly number[] | null {
  const bytes: number[] = [];
  for (const [piece] of text.matchAll(/%[\da-f]{2}|[^%]|%/giu)) {
    if (piece === '%' || !piece.isWellFormed()) return null;
    if (piece.startsWith('%')) bytes.push(Number.parseInt(piece.slice(1), 16));
    else if (piece.length === 1 && piece.charCodeAt(0) < 0x80) bytes.push(piece.charCodeAt(0));
    else for (const [, hex = ''] of encodeURIComponent(piece).matchAll(/%(..)/g)) bytes.push(Number.parseInt(hex, 16));
  }
  return bytes;
}

function fromUtf8(bytes: readonly number[]): string | null {
  try {
    return decodeURIComponent(bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
  } catch {
    return null;
  }
}
