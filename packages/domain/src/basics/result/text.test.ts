import { expect, test } from 'vitest';
import { directionIssueText, plainTextIssueText } from './text.ts';

test('exactly the nine characters that override the direction of text are refused, and named', () => {
  const refused: string[] = [];
  for (let code = 0; code <= 0xffff; code++) {
    const text = directionIssueText(`a${String.fromCharCode(code)}b`);
    if (text !== null) refused.push(/U\+[0-9A-F]{4}/.exec(text)?.[0] ?? '');
  }
  const range = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => `U+${(first + index).toString(16).toUpperCase()}`);
  expect(refused).toEqual([...range(0x202a, 0x202e), ...range(0x2066, 0x2069)]);
});

test('text in any language is allowed, and the first character that is refused is named', () => {
  for (const text of ['', 'R&D', 'مراجعة', 'עברית', 'a\u200fb', 'a\nb']) expect(directionIssueText(text)).toBeNull();
  expect(directionIssueText('a\u2066b\u202e')).toContain('U+2066');
  expect(plainTextIssueText('a\nb')).toContain('U+000A');
  expect(plainTextIssueText('a\u202eb')).toContain('U+202E');
  expect(plainTextIssueText('عربي')).toBeNull();
});
