import type { Failure } from '../basics/result/failure.ts';
import { failureOf, type Issue } from '../basics/result/issue.ts';
import { fail, ok, type Result } from '../basics/result/result.ts';
import { lengthIssueText, plainTextIssueText } from '../basics/result/text.ts';

/** An update of texts: a value replaces the text, null or the text `null` resets it, and a text left out does not change. */
export type TextsUpdate<T> = { readonly [K in keyof T]?: string | null };

/** For every text, the issues of a new value; `at` is the name of the text. */
export type TextRules<T> = { readonly [K in keyof T]: (text: string, at: string) => readonly Issue[] };

/** Applies an update. Fails with the issues of all new values. */
export function updateTexts<T extends { readonly [K in keyof T]: string | null }>(
  current: T,
  update: TextsUpdate<T>,
  rules: TextRules<T>,
): Result<T, Failure> {
  const updated = { ...current };
  const issues: Issue[] = [];
  for (const name in rules) {
    const given = update[name];
    if (given === undefined) continue;
    const text = given === 'null' ? null : given;
    if (text !== null) issues.push(...rules[name](text, name));
    Object.assign(updated, { [name]: text });
  }
  const failure = failureOf(issues);
  return failure === null ? ok(updated) : fail(failure);
}

/** The rule of a plain text of 1 to some characters. */
export const plainText =
  (lengthMax: number) =>
  (text: string, at: string): readonly Issue[] => {
    const wrongLength = lengthIssueText(text, lengthMax);
    if (wrongLength !== null) return [{ type: 'LengthOutOfRange', at, text: wrongLength }];
    const illegal = plainTextIssueText(text);
    return illegal === null ? [] : [{ type: 'IllegalValue', at, text: illegal }];
  };
