import { fail, failure, type MalformedBody, ok, type Result } from '@access-admin/domain';
import { JSON_DEPTH_MAX } from '../limits.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a body as UTF-8; fails on any invalid sequence instead of replacing it. */
export function decodeUtf8(bytes: ArrayBuffer | Uint8Array): Result<string, MalformedBody> {
  try {
    return ok(utf8.decode(bytes));
  } catch {
    return fail(failure('MalformedBody', '', 'The body is not valid UTF-8: send it in this encoding.'));
  }
}

/**
 * Parses a JSON text that `decodeUtf8` has decoded. Rejects duplicate keys, NUL, lone surrogates and nesting deeper than 32,
 * because parsers differ on them and databases cannot store them. Failures never quote the text. `depth` is the nesting depth
 * of the text within the whole body.
 */
export function parseStrictJson(text: string, depth = 0): Result<unknown, MalformedBody> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail(failure('MalformedBody', '', text.trim() === '' ? EMPTY : 'The body is not valid JSON.'));
  }
  // Only an escape can produce NUL or a lone surrogate: strictly decoded UTF-8 has neither, and JSON forbids a bare NUL.
  const keys = inspect(value, text.includes('\\'), depth);
  if (keys === BAD_TEXT || keys === TOO_DEEP) return fail(failure('MalformedBody', '', REFUSALS[keys]));
  // JSON.parse keeps the last of equal keys, so fewer keys in the value than in the text mean a duplicate.
  if (countKeys(text) !== keys)
    return fail(failure('MalformedBody', '', 'An object has the same key twice: remove one of them.'));
  return ok(value);
}

const EMPTY = 'The body is empty: send a JSON document.';

const BAD_TEXT = -1;
const TOO_DEEP = -2;

const REFUSALS = {
  [BAD_TEXT]: 'A string or a key has a NUL character or half of a surrogate pair: remove it.',
  [TOO_DEEP]: `Arrays and objects are nested deeper than ${JSON_DEPTH_MAX} levels.`,
};

/** Counts the keys of all objects; negative for a rejected value. Never recurses deeper than `JSON_DEPTH_MAX`. */
function inspect(value: unknown, hasEscapes: boolean, depth: number): number {
  if (typeof value === 'string') return !hasEscapes || isStorable(value) ? 0 : BAD_TEXT;
  if (typeof value !== 'object' || value === null) return 0;
  if (depth === JSON_DEPTH_MAX) return TOO_DEEP;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const member of value) {
      const found = inspect(member, hasEscapes, depth + 1);
      if (found < 0) return found;
      keys += found;
    }
    return keys;
  }
  const object = value as Readonly<Record<string, unknown>>;
  if (hasEscapes && !Object.keys(object).every(isStorable)) return BAD_TEXT;
  for (const name in object) {
    const found = inspect(object[name], hasEscapes, depth + 1);
    if (found < 0) return found;
    keys += 1 + found;
  }
  return keys;
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');

/** Counts the keys in a valid JSON text: strings followed by a colon. */
function countKeys(text: string): number {
  let keys = 0;
  for (let start = text.indexOf('"'); start !== -1; ) {
    let after = endOfString(text, start) + 1;
    while (isSpace(text.charCodeAt(after))) after++;
    if (text.charCodeAt(after) === COLON) keys++;
    start = text.indexOf('"', after);
  }
  return keys;
}

const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** White space of JSON. */
const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}
