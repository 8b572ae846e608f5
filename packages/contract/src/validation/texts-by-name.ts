import { isObject } from '@access-admin/domain';
import * as v from 'valibot';
import { failsWith, illegal } from './validate.ts';

type Message = ReturnType<typeof failsWith>;

/** What an object of strings may have. */
interface TextsRule {
  readonly max: number;
  /** The entries, in the plural. */
  readonly what: string;
  /** What is wrong with a name; null when nothing is. */
  readonly faultOfName: (name: string) => Message | null;
  /** The names in JSON Schema. */
  readonly names: Readonly<Record<string, unknown>>;
  readonly lengthMax: number;
  /** What is wrong with a text of a legal length; null when nothing is. */
  readonly issueOfText?: (text: string) => string | null;
}

/** A text has at most as many characters as UTF-16 units: most are so short that they need not be counted. */
export const isLongerThan = (text: string, max: number) => text.length > max && [...text].length > max;

/** An object of strings, unchanged. valibot's `record` would drop names such as `constructor`. */
export const textsByName = (rule: TextsRule) =>
  v.pipe(
    v.custom<Record<string, string>>(isObject, illegal('must be an object of strings')),
    v.maxEntries(rule.max, failsWith('LimitExceeded', `must have at most ${rule.max} ${rule.what}`)),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      for (const [key, value] of Object.entries(dataset.value)) {
        const message = rule.faultOfName(key) ?? faultOfText(value, rule);
        if (message !== null)
          addIssue({ message, path: [{ type: 'object', origin: 'value', input: dataset.value, key, value }] });
      }
    }),
    v.metadata({
      propertyNames: rule.names,
      additionalProperties: { type: 'string', maxLength: rule.lengthMax },
    }),
  );

function faultOfText(text: unknown, { lengthMax, issueOfText }: TextsRule): Message | null {
  if (typeof text !== 'string') return illegal('must be a string');
  if (isLongerThan(text, lengthMax)) return failsWith('LengthOutOfRange', `must have at most ${lengthMax} characters`);
  const issue = issueOfText?.(text) ?? null;
  return issue === null ? null : illegal(issue);
}
