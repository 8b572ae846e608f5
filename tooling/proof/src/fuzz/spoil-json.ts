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

/** Changes a value; a member or item that becomes undefined is removed. */
type Spoil = (value: unknown, random: Random) => unknown;

const SPOILS: readonly Spoil[] = [
  () => undefined,
  (_, random) => drawOne(random, ODD_VALUES),
  (_, random) => drawOne(random, ODD_TEXTS),
  (_, random) => drawOne(random, FILLINGS).repeat(drawOne(random, LENGTHS)),
  (value, random) => nested(value, drawOne(random, DEPTHS)),
  (value, random) => (typeof value === 'string' ? value : '') + drawOne(random, ODD_TEXTS),
];
const ARRAY_SPOILS: readonly Spoil[] = [
  (value, random) =>
    Array.from({ length: drawOne(random, SIZES) }, () => Object(value)[0] ?? drawOne(random, ODD_VALUES)),
  (value) => [...Object(value), Object(value)[0] ?? null],
  (value, random) => [...Object(value), drawOne(random, ODD_VALUES)],
];
const OBJECT_SPOILS: readonly Spoil[] = [
  (value, random) => withMember(value, drawOne(random, HOSTILE_NAMES), drawOne(random, ODD_VALUES)),
  (value, random) => withMember(value, `unknown${random(9)}`, drawOne(random, ODD_VALUES)),
  renameMember,
];

/** Without assignment, so that `__proto__` is an ordinary member. */
const withMember = (object: unknown, name: string, member: unknown): unknown =>
  Object.fromEntries([...Object.entries(Object(object)), [name, member]]);

function renameMember(object: unknown, random: Random): unknown {
  const members = Object.entries(Object(object));
  const renamed = random(members.length + 1);
  return Object.fromEntries(members.map(([name, each], at) => [at === renamed ? name.toUpperCase() : name, each]));
}

/** Changes a part of a JSON text so that the service may refuse it. Throws if the text is no JSON. */
export function spoilJson(text: string, random: Random): string {
  let values = 0;
  JSON.parse(text, (_, value) => {
    values++;
    return value;
  });
  let left = random(values);
  const spoiled = JSON.parse(text, (_, value) => (left-- === 0 ? spoilValue(value, random) : value));
  return JSON.stringify(spoiled) ?? '';
}

function spoilValue(value: unknown, random: Random): unknown {
  const isObject = typeof value === 'object' && value !== null;
  const own = Array.isArray(value) ? ARRAY_SPOILS : isObject ? OBJECT_SPOILS : [];
  return drawOne(random, [...own, ...own, ...SPOILS])(value, random);
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
