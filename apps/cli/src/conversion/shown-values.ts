import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

/**
 * A workbook in which some cells are texts: errors, formulas without a result, and numbers whose format adds zeros or texts. Its reader
 * takes the first two for empty cells, and numbers without their formats. The content itself where it has no such cell.
 */
export function withShownValues(content: Uint8Array): Uint8Array {
  const parts = unzipSync(content, { filter: ({ name }) => /\.xml(\.rels)?$/.test(name) });
  const texts = Object.entries(parts).map(([name, bytes]) => [name, bytes, strFromU8(bytes)] as const);
  const styles = texts.find(([, , text]) => OF_STYLES.test(text));
  const formats = styles === undefined ? [] : formatsOf(styles[2]);
  let isSame = true;
  const shown = texts.map(([name, bytes, text]) => {
    if (!OF_SHEET.test(text)) return [name, bytes] as const;
    const changed = text.replaceAll(CELL, (cell, prefix, attributes, inner) => {
      const told = textOf(attributes, inner, formats);
      return told === null ? cell : textCell(told, { prefix, place: attributeOf(attributes, 'r') });
    });
    isSame &&= changed === text;
    return [name, changed === text ? bytes : strToU8(changed)] as const;
  });
  return isSame ? content : zipSync(Object.fromEntries(shown), { level: 0 });
}

// Names of elements may have a prefix. A `>` in a text or an attribute need not be escaped, a `<` must be.
const OF_STYLES = /<(?:\w+:)?styleSheet\b/;
const OF_SHEET = /<(?:\w+:)?sheetData\b/;
const CELL = /<(\w+:)?c(\s[^<>]*[^<>/])>(.*?)<\/(?:\w+:)?c>/gs;
const VALUE = /<(?:\w+:)?v(?:\s[^<>]*)?(?:\/>|>([^<]*))/;
const FORMULA = /<(?:\w+:)?f(?:\s[^<>]*)?(?:\/>|>([^<]*))/;

/** What a cell shows, in XML, where its reader takes it for something else; else null. */
function textOf(attributes: string, inner: string, formats: readonly (string | undefined)[]): string | null {
  const type = attributeOf(attributes, 't') ?? 'n';
  const value = VALUE.exec(inner);
  const formula = FORMULA.exec(inner);
  if (type === 'e') return value?.[1] || '#N/A';
  const [, number = ''] = value ?? [];
  // The result of a formula may be an empty text.
  if (formula !== null && (value === null || (number === '' && type !== 'str'))) return `=${formula[1] || '…'}`;
  const format = formats[Number(attributeOf(attributes, 's') ?? -1)];
  return type === 'n' && format !== undefined && /^\d+$/.test(number) ? withZeros(number, format) : null;
}

const textCell = (
  text: string,
  { prefix = '', place }: { readonly prefix: string | undefined; readonly place: string | undefined },
): string =>
  `<${prefix}c r="${place}" t="inlineStr"><${prefix}is><${prefix}t>${text}</${prefix}t></${prefix}is></${prefix}c>`;

const attributeOf = (attributes: string, name: string): string | undefined => {
  const [, , value] = new RegExp(`(?:^|\\s)${name}=(["'])(.*?)\\1`, 's').exec(attributes) ?? [];
  return value;
};

/** The formats of zeros, by the number of a style. */
function formatsOf(styles: string): readonly (string | undefined)[] {
  const codes = new Map(
    elementsOf(styles, 'numFmt').map((format) => [
      attributeOf(format, 'numFmtId'),
      unescaped(attributeOf(format, 'formatCode') ?? ''),
    ]),
  );
  const [, cells = ''] = /<(?:\w+:)?cellXfs\b(.*?)<\/(?:\w+:)?cellXfs>/s.exec(styles) ?? [];
  return elementsOf(cells, 'xf').map((style) => codes.get(attributeOf(style, 'numFmtId')));
}

/** The attributes of each element of a name. */
const elementsOf = (xml: string, name: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(\\s(?:"[^"]*"|'[^']*'|[^"'<>])*)>`, 'g'))].map(
    ([, attributes = '']) => attributes,
  );

/** A part of a format that is a zero, or a text: quoted, after a backslash, or of signs that stand for themselves. */
const FORMAT_PART = /(0)|"([^"]*)"|\\(.)|([-\s():+])|\[\$-[^\]]*\]/y;

/** A whole number by a format of zeros and texts, in XML; null for another format. */
function withZeros(number: string, format: string): string | null {
  const [positive = ''] = format.split(';');
  const parts: { readonly text: string; readonly isZero: boolean }[] = [];
  FORMAT_PART.lastIndex = 0;
  while (FORMAT_PART.lastIndex < positive.length) {
    const found = FORMAT_PART.exec(positive);
    if (found === null) return null;
    const [, zero, quoted, escaped, sign] = found;
    parts.push({ text: quoted ?? escaped ?? sign ?? '', isZero: zero !== undefined });
  }
  const zeros = parts.filter(({ isZero }) => isZero).length;
  if (zeros === 0) return null;
  const digits = number.padStart(zeros, '0');
  // The first zero stands for all digits for which there is no other one.
  let taken = 0;
  const text = parts.map((part) => {
    if (!part.isZero) return escapedXml(part.text);
    const from = taken;
    taken = taken === 0 ? digits.length - zeros + 1 : taken + 1;
    return digits.slice(from, taken);
  });
  return text.join('');
}

const ENTITIES = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' } as const;

const unescaped = (xml: string): string =>
  xml.replaceAll(/&(quot|apos|lt|gt|amp);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name]);

const escapedXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
