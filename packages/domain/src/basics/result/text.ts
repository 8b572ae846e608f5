// Characters that change the direction of the text around them, so that a name can look like another one.
const DIRECTION_OVERRIDE = /[\u202A-\u202E\u2066-\u2069]/;
const CONTROL = /\p{Cc}/u;

/** Why a name or text is refused for its characters, with the code point; null for a text without direction overrides. */
export const directionIssueText = (text: string): string | null => {
  const found = DIRECTION_OVERRIDE.exec(text)?.[0];
  return found === undefined
    ? null
    : `must not contain ${codePoint(found)}, which changes the direction of text: remove it`;
};

/** The same, for texts that may not contain control characters (C0, DEL, C1) either. */
export const plainTextIssueText = (text: string): string | null => {
  const found = CONTROL.exec(text)?.[0];
  return found === undefined
    ? directionIssueText(text)
    : `must not contain ${codePoint(found)}, a control character: remove it`;
};

/** Why a text of 1 to some characters is refused for its length; null for one that is not. Characters are code points. */
export const lengthIssueText = (text: string, lengthMax: number): string | null =>
  // A text has at most as many code points as code units, and at least half as many.
  text !== '' && text.length <= 2 * lengthMax && [...text].length <= lengthMax
    ? null
    : `must have 1 to ${lengthMax} characters`;

const codePoint = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
