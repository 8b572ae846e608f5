// Characters that change the direction of the text around them, so that a name can look like another one.
const DIRECTION_OVERRIDE = /[\u202A-\u202E\u2066-\u2069]/;
const CONTROL = /\p{Cc}/u;

/** What is wrong with a text; `index` is that of the part that is wrong, where it has several. */
export interface TextIssue {
  readonly type: 'IllegalValue' | 'LengthOutOfRange' | 'LimitExceeded';
  readonly text: string;
  readonly index?: number;
}

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

const codePoint = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
