/** A text with a style, whose data has been escaped. In a template it is the sequences of a terminal, or the plain text. */
export interface Styled {
  readonly plain: string;
  toString(): string;
}

// Also what ends a line or reverses its direction on a terminal or in an editor.
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const CONTROL_BUT_LAYOUT = /(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

/** A text of others on one line: control characters are shown as `\u001b`. */
export const escapeControls = (text: string): string => text.replace(CONTROL, escaped);

/** Escapes the control characters of a text of several lines, except line feeds and tabs. */
export const escapeLines = (text: string): string => text.replace(CONTROL_BUT_LAYOUT, escaped);

/** Tag of a template for people: what is put into it is data, and cannot begin a line or control a terminal. */
export const line = (parts: TemplateStringsArray, ...values: readonly (string | number | Styled)[]): string =>
  String.raw({ raw: parts }, ...values.map((value) => (typeof value === 'string' ? escapeControls(value) : value)));
