/**
 * A uid in the form in which it is unique within its tenant: without differences of case (full case folding of Unicode) and
 * of composition. `Ada`, `ADA` and `ada` are the same uid; so are `straße` and `STRASSE`, and `é` in one or two characters.
 */
export function foldUid(uid: string): string {
  if (ASCII.test(uid)) return uid.toLowerCase();
  let folded = '';
  for (const character of uid.normalize('NFD')) folded += foldCharacter(character);
  return folded.normalize('NFC');
}

const ASCII = /^[\0-\x7f]*$/;

/** Case folding of one character. Unicode folds the dotless i to no other letter, although its capital is `I`. */
const foldCharacter = (character: string): string =>
  character === 'ı' ? character : character.toLowerCase().toUpperCase().toLowerCase();

/**
 * Whether a text has characters that stand for others, such as full-width letters, ligatures and superscripts (compatibility
 * characters of Unicode). Directories read them as the others: two usernames would name one entry.
 */
export const hasCompatibilityForms = (text: string): boolean =>
  !ASCII.test(text) && text.normalize('NFKC') !== text.normalize('NFC');

/** The form in which an identity is found by a username; null for one with compatibility forms, which no identity has. */
export const foldUsername = (username: string): string | null =>
  hasCompatibilityForms(username) ? null : foldUid(username);

// Letters whose stroke Unicode takes for no accent.
const STROKES: Readonly<Record<string, string>> = { đ: 'd', Đ: 'D', ħ: 'h', Ħ: 'H', ł: 'l', Ł: 'L', ø: 'o', Ø: 'O' };

/** Any text in the form in which searches compare it: that of a uid, without the accents of Latin letters. */
export const foldText = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : foldUid(
        text
          .normalize('NFD')
          .replace(/(\p{Script=Latin})\p{Mn}+/gu, '$1')
          .replace(/[đĐħĦłŁøØ]/g, (letter) => STROKES[letter] ?? letter),
      );
