import { drawOne, type Random } from '../campaign/random.ts';

/** Words that contain no space. */
export const words = (...lines: readonly string[]): readonly string[] => lines.join(' ').split(' ');

const HOSTILE_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', 'length', '\u202e'];
const ODD_VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 63), '', ' ', 'null', 'undefined'],
  ...[[], {}, [[]], [null], { '': '' }, { length: 1 }, { toString: 'x' }],
];
const ODD_TEXTS = [
  ...words(
    'ＯＲＧ＿ＡＤＭＩＮ ОRG_ADMIN org_admin ../x .. . %00 %2f $$(x) {{x}} <script> * https://*.com data:x',
    '/capabilities/-1 /capabilities/01 /~2',
  ),
  ...['\u0000', '\ud800', '\udfff\ud800', '\ufeff', '\u202eabc'],
  ...['ORG_ADMIN ', "' or '1'='1", 'https://a.com; script-src *', 'a\nb', 'x'.repeat(40)],
];
/** Lengths at and beyond limits of the service. */
const LENGTHS = [0, 1, 63, 64, 65, 100, 101, 128, 129, 200, 201, 256, 257, 512, 513, 4000, 4001];
const SIZES = [0, 1, 50, 51, 64, 65, 100, 101, 500, 501];
const DEPTHS = [30, 31, 32, 33, 34, 2000];
const FILLINGS = ['x', 'ä', '😀'];

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Changes a part of a value so that the service may refuse it. */
export function spoilJson(value: unknown, random: Random): unknown {
  const isInner = random(4) > 0;
  if (isInner && Array.isArray(value) && value.length > 0) {
    const at = random(value.length);
    return value.map((item, place) => (place === at ? spoilJson(item, random) : item));
  }
  if (isInner && isObject(value) && Object.keys(value).length > 0) {
    const name = drawOne(random, Object.keys(value));
    return changed(value, name, spoilJson(value[name], random));
  }
  if (isObject(value)) return spoilObject(value, random);
  if (Array.isArray(value)) return spoilArray(value, random);
  return spoilLeaf(value, random);
}

/** Without assignment, so that `__proto__` is an ordinary member. */
const changed = (object: Json, name: string, member: unknown): Json =>
  Object.fromEntries([...Object.entries(object).filter(([each]) => each !== name), [name, member]]);

function spoilObject(value: Json, random: Random): unknown {
  const names = Object.keys(value);
  const kind = random(names.length === 0 ? 3 : 5);
  if (kind === 0) return changed(value, drawOne(random, HOSTILE_NAMES), drawOne(random, ODD_VALUES));
  if (kind === 1) return changed(value, `unknown${random(9)}`, drawOne(random, ODD_VALUES));
  if (kind === 2) return spoilLeaf(value, random);
  const name = drawOne(random, names);
  const without = Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
  return kind === 3 ? without : changed(without, name.toUpperCase(), value[name]);
}

function spoilArray(value: readonly unknown[], random: Random): unknown {
  const kind = random(4);
  const item = value[0] ?? drawOne(random, ODD_VALUES);
  if (kind === 0) return Array.from({ length: drawOne(random, SIZES) }, () => item);
  if (kind === 1) return [...value, item];
  return kind === 2 ? [...value, drawOne(random, ODD_VALUES)] : spoilLeaf(value, random);
}

function spoilLeaf(value: unknown, random: Random): unknown {
  const kind = random(5);
  if (kind === 0) return drawOne(random, ODD_TEXTS);
  if (kind === 1) return drawOne(random, FILLINGS).repeat(drawOne(random, LENGTHS));
  if (kind === 2) return nested(value, drawOne(random, DEPTHS));
  return kind === 3 && typeof value === 'string' ? value + drawOne(random, ODD_TEXTS) : drawOne(random, ODD_VALUES);
}

function nested(value: unknown, depth: number): unknown {
  let whole = value;
  for (let left = depth; left > 0; left--) whole = left % 2 === 0 ? [whole] : { x: whole };
  return whole;
}

const NUMBERS = ['1e400', '-0', '0x10', '01', '1.', '.5', 'NaN', 'Infinity', '1E+2', '9'.repeat(400)];
const LEADING = ['\xef\xbb\xbf', '\xff\xfe', '//x\n', '\xa0', '\0', ")]}',\n"];
const TRAILING = ['{}', ',', '\0', '\x1a', '// x', ']', '\xef\xbb\xbf', '\n\n'];
const INSIDE = [
  ...['\xff', '\xc0\xaf', '\xed\xa0\x80', '\0', '\x01', '\\ud800'],
  ...['\\u0000', '"', '{', '\\', '\xf5\x80\x80\x80'],
];
const WHOLES = ['', ' ', 'null', 'true', '0', '""', '[]', '{}', '[[]]', '{', '"', '\xff', '['.repeat(50_000)];

/** Spoils the text of a body; each character is a byte. */
export function spoilText(text: string, random: Random): string {
  const at = random(text.length + 1);
  const inserted = (piece: string) => text.slice(0, at) + piece + text.slice(at);
  const kind = random(9);
  if (kind === 0) return drawOne(random, LEADING) + text;
  if (kind === 1) return text + drawOne(random, TRAILING);
  if (kind === 2) return text.slice(0, at);
  if (kind === 3) return drawOne(random, WHOLES);
  if (kind === 4) return text.replace(/[\d]+|true|false|null/, () => drawOne(random, NUMBERS));
  if (kind === 5) return withKeyTwice(text);
  if (kind === 6) return text.replace('{', () => `{"${drawOne(random, HOSTILE_NAMES)}":{"x":1},`);
  return inserted(drawOne(random, INSIDE));
}

/** Repeats the first key of an object with another value. */
function withKeyTwice(text: string): string {
  const key = /\{\s*("[^"\\]*")/.exec(text)?.[1];
  return key === undefined ? `${text}${text}` : text.replace('{', () => `{${key}:0,`);
}
