import { type RawBuilder, sql } from 'kysely';

/** A capital letter beyond ASCII, and its small one. Letters that change their number, such as ß, have none. */
interface LetterPair {
  readonly capital: string;
  readonly small: string;
}

const isOneCharacter = (text: string): boolean => [...text].length === 1;

const smallOf = (character: string): string => {
  const small = character.toLowerCase();
  return isOneCharacter(small) ? small : character;
};

const capitalOf = (character: string): string => {
  const capital = character.toUpperCase();
  return isOneCharacter(capital) ? capital : character;
};

/** A text in small letters. */
export const toSmall = (text: string): string => [...text].map(smallOf).join('');

/** The letters beyond ASCII of a text in small letters: `lower` of both engines changes those of ASCII alone. */
const pairsOf = (small: string): readonly LetterPair[] =>
  [...new Set(small)]
    .map((letter) => ({ capital: capitalOf(letter), small: letter }))
    .filter((pair) => pair.small > '\u007f' && pair.capital !== pair.small);

/** A column in small letters, as far as a comparison with this text in small letters needs it. */
export const smallColumn = (column: RawBuilder<unknown>, small: string): RawBuilder<unknown> =>
  pairsOf(small).reduce((text, pair) => sql`replace(${text}, ${pair.capital}, ${pair.small})`, sql`lower(${column})`);

/** The same of a text. */
export const smallText = (text: string, small: string): string =>
  pairsOf(small).reduce((changed, pair) => changed.replaceAll(pair.capital, pair.small), asciiToSmall(text));

/** A text as `lower` of both engines changes it. */
export const asciiToSmall = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The beginning of a text in small letters, up to the first letter that `lower` of the engines does not change. */
export function startOf(small: string): string {
  const letters = new Set(pairsOf(small).map((pair) => pair.small));
  const characters = [...small];
  const end = characters.findIndex((character) => letters.has(character));
  return characters.slice(0, end < 0 ? characters.length : end).join('');
}
