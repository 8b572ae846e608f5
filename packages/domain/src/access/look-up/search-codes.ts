/** Texts that are searched apart from each other, such as the uids of the identities of a tenant. */
export interface SearchField {
  readonly tenant: string;
  readonly kind: string;
  readonly field: string;
}

/** The start of the codes of a field, to be computed once for many texts. */
export const searchSeed = ({ tenant, kind, field }: SearchField): number =>
  hashOf(FNV_OFFSET, `${tenant}\u0000${kind}\u0000${field}`);

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const TRIGRAM = 3;
// Two of them in front of a text make trigrams of which only its beginning has the first ones.
const BEGINNING = '\u0002\u0002';

/**
 * Adds a code of 32 bits for each three code units in a row of a folded text, and for its beginning. A text has all codes of
 * each of its parts; one that has them all may still lack the part.
 */
export function addTextCodes(codes: number[], seed: number, folded: string): void {
  addTrigrams(codes, seed, BEGINNING + folded);
}

/** Adds the code of a whole value, such as an id. */
export function addValueCode(codes: number[], seed: number, value: string): void {
  codes.push(finish(hashOf(seed, value)));
}

/** The most codes by which one search finds its candidates. More would cost more than they exclude. */
const QUERY_CODES_MAX = 12;

/** The codes of texts that contain a folded part; none for a part of fewer than three code units. */
export const codesOfPart = (seed: number, part: string): readonly number[] => spread(trigramsOf(seed, part));

/** The codes of texts that begin with a folded part; none for the empty part. */
export const codesOfBeginning = (seed: number, part: string): readonly number[] =>
  part === '' ? [] : spread(trigramsOf(seed, BEGINNING + part));

/** The code of a whole value. */
export const codeOfValue = (seed: number, value: string): number => finish(hashOf(seed, value));

function trigramsOf(seed: number, text: string): readonly number[] {
  const codes: number[] = [];
  addTrigrams(codes, seed, text);
  return [...new Set(codes)];
}

function addTrigrams(codes: number[], seed: number, text: string): void {
  for (let at = 0; at + TRIGRAM <= text.length; at++) {
    let hash = seed;
    for (let next = at; next < at + TRIGRAM; next++) hash = mixed(hash, text.charCodeAt(next));
    codes.push(finish(hash));
  }
}

/** Some of many codes, from the whole length of the text. */
function spread(codes: readonly number[]): readonly number[] {
  const step = Math.max(1, codes.length / QUERY_CODES_MAX);
  return codes.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

function hashOf(seed: number, text: string): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = mixed(hash, text.charCodeAt(at));
  return hash;
}

// FNV-1a, over code units.
const mixed = (hash: number, unit: number): number => Math.imul(hash ^ unit, FNV_PRIME);

/** Spreads the last code unit over all bits. The code is a signed integer of 32 bits. */
function finish(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}
