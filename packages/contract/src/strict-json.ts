import { fail, failure, type MalformedBody, ok, type Result } from '@access-admin/domain';
import { JSON_DEPTH_MAX } from './limits.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a body as UTF-8; fails on any invalid sequence instead of replacing it. */
export function decodeUtf8(bytes: ArrayBuffer | Uint8Array): Result<string, MalformedBody> {
  try {
    return ok(utf8.decode(bytes));
  } catch {
    return fail(failure('MalformedBody', '', 'The body is not valid UTF-8.'));
  }
}

/**
 * Reads one JSON text strictly: duplicate keys, NUL, lone surrogates and nesting deeper than 32 are refused,
 * because parsers differ on them and databases cannot keep them. Failures never echo the text.
 */
export function parseStrictJson(text: string): Result<unknown, MalformedBody> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail(failure('MalformedBody', '', 'The body is not valid JSON.'));
  }
  const inspected = inspect(value);
  if (typeof inspected === 'string') return fail(failure('MalformedBody', '', inspected));
  // JSON.parse keeps the last of equal keys: fewer keys in the value than in the text means a duplicate.
  if (countKeys(text) !== inspected) return fail(failure('MalformedBody', '', 'An object has duplicate keys.'));
  return ok(value);
}

/** Counts the keys of all objects, or says why the value is refused. Iterative: depth is not known yet. */
function inspect(root: unknown): number | string {
  let keys = 0;
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string') {
        if (!isStorable(value)) return 'A string has a NUL character or a lone surrogate.';
      } else if (typeof value === 'object' && value !== null) {
        if (depth === JSON_DEPTH_MAX) return `The body is nested deeper than ${JSON_DEPTH_MAX}.`;
        if (Array.isArray(value)) for (const item of value) next.push(item);
        else
          for (const [key, member] of Object.entries(value)) {
            if (!isStorable(key)) return 'A key has a NUL character or a lone surrogate.';
            keys++;
            next.push(member);
          }
      }
    }
    level = next;
  }
  return keys;
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');

/** Counts the keys in a text that is known to be valid JSON: strings that a colon follows. */
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

/** What JSON takes for white space. */
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
