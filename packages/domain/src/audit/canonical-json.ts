/**
 * The canonical text of a JSON value (RFC 8785): members sorted by code units, no spaces, ECMAScript's numbers and strings.
 * Undefined members are left out. Throws for what has no canonical form: a lone surrogate, NaN and the infinities.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('A number of JSON is finite.');
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return Array.isArray(value) ? arrayText(value) : objectText(value as Readonly<Record<string, unknown>>);
}

// An import records megabytes, so texts are built without intermediate lists.
function arrayText(items: readonly unknown[]): string {
  let text = '';
  for (const item of items) text += `${text === '' ? '' : ','}${canonicalJson(item)}`;
  return `[${text}]`;
}

function objectText(object: Readonly<Record<string, unknown>>): string {
  let text = '';
  for (const name of sortedNames(object)) {
    const member = object[name];
    if (member !== undefined) text += `${text === '' ? '' : ','}${quote(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

const FEW = 20;

function sortedNames(object: object): readonly string[] {
  const names = Object.keys(object);
  if (names.length > FEW) return names.sort();
  // Insertion sort, several times as fast for a few names.
  for (let at = 1; at < names.length; at++) {
    const name = names[at] ?? '';
    let to = at;
    for (; to > 0 && name < (names[to - 1] ?? ''); to--) names[to] = names[to - 1] ?? '';
    names[to] = name;
  }
  return names;
}

// Printable ASCII characters that JSON does not escape.
const PLAIN = /^[ !#-[\]-~]*$/;

function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('A text of canonical JSON has no half of a surrogate pair.');
  return JSON.stringify(text);
}
