import { foldUid } from '@access-admin/domain';
import fc from 'fast-check';

/** What a test knows of an identity. */
export interface Person {
  readonly id: string;
  readonly displayName: string;
  readonly uid: string;
  readonly email: string | null;
}

// Letters that fold to others, marks that compose, signs that SQL or an index could take as its own, and pairs of surrogates.
const UNITS = [
  'a',
  'A',
  'b',
  'ä',
  'Ä',
  'a\u0308',
  'e',
  '\u0301',
  'é',
  'E\u0301',
  'ß',
  'SS',
  'ς',
  'Σ',
  'σ',
  'ı',
  'I',
  'i',
  'İ',
  '%',
  '_',
  "'",
  '"',
  '\\',
  '*',
  '(',
  ' ',
  '-',
  '.',
  '@',
  '\u{1f600}',
  '\u{1f601}',
  '\u{10400}',
  '\u{10428}',
  '中',
  '\u0080',
];

/** Texts in which parts often recur. */
export const arbitraryText = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.array(fc.constantFrom(...UNITS), { minLength, maxLength }).map((units) => units.join('')),
    fc.array(fc.constantFrom('a', 'b', 'A'), { minLength, maxLength }).map((units) => units.join('')),
  );

/** A condition as the service promises it, written down once more. */
export function meets(
  text: string | null,
  { operator, values: [value = ''] }: { readonly operator: string; readonly values: readonly string[] },
): boolean {
  if (text === null) return false;
  if (operator === 'eq') return text === value;
  const folded = withoutAccents(text);
  const part = withoutAccents(value);
  return operator === 'sw' ? folded.startsWith(part) : folded.includes(part);
}

// Of the units above, these letters alone have accents.
const withoutAccents = (text: string): string =>
  foldUid(text.normalize('NFD').replace(/([a-z])[\u0301\u0308\u0307]+/giu, '$1'));
