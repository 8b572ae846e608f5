import { CAUSES_MAX, type Failure, fail, type Issue, ok, type Result } from '@access-admin/domain';
import * as v from 'valibot';

type ShapeFailure = Exclude<Failure['type'], 'NotFound' | 'Forbidden' | 'Conflict'>;

/** Failure types by severity: the first of them that occurs becomes the type of the whole failure. */
const PRECEDENCE: readonly Failure['type'][] = [
  'MalformedBody',
  'RequiredMissing',
  'LimitExceeded',
  'IllegalUpdate',
  'LengthOutOfRange',
  'IllegalValue',
  'ReferenceNotFound',
];

/** An issue, with the type of failure that `failsWith` notes on it. */
export interface TypedIssue extends v.BaseIssue<unknown> {
  failure?: ShapeFailure;
}

/**
 * The message of a schema or of a check, with the type of failure that it causes. `text` may depend on the input.
 *
 * @example v.nonEmpty(failsWith('RequiredMissing', 'must not be empty'))
 */
export const failsWith =
  (type: ShapeFailure, text: string | ((input: unknown) => string)) =>
  (issue: TypedIssue): string => {
    issue.failure = type;
    return typeof text === 'string' ? text : text(issue.input);
  };

/** The message of a schema or of a check that an illegal value fails. */
export const illegal = (text: Parameters<typeof failsWith>[1]) => failsWith('IllegalValue', text);

/**
 * Validates a value against a schema. Failures name the place and the reason, never the value. `abortEarly` stops at the
 * first issue: in a value of any length each issue would cost memory.
 */
export function validate<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  { abortEarly = false }: { readonly abortEarly?: boolean } = {},
): Result<v.InferOutput<S>, Failure> {
  const parsed = v.safeParse(schema, value, { abortEarly, abortPipeEarly: true });
  if (parsed.success) return ok(parsed.output);
  return fail(mostSevereFailure(parsed.issues.slice(0, CAUSES_MAX).map(toCause)));
}

/** Combines causes of several types into one failure of the most severe type. */
export function mostSevereFailure(causes: readonly Issue[]): Failure {
  const type = PRECEDENCE.find((candidate) => causes.some((cause) => cause.type === candidate)) ?? 'MalformedBody';
  return { type, causes };
}

function toCause(issue: TypedIssue): Issue {
  const at = pathText(issue);
  if (issue.failure !== undefined) return { type: issue.failure, at, text: issue.message };
  if (issue.expected === 'never') return { type: 'MalformedBody', at, text: 'unknown property: remove it' };
  if (issue.received === 'undefined') return { type: 'RequiredMissing', at, text: 'is required' };
  // Without a path the issue concerns the whole body.
  return {
    type: at === '' ? 'MalformedBody' : 'IllegalValue',
    at,
    text: `must be ${expectedText(issue.expected ?? 'another value')}`,
  };
}

const NAMED_TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  Array: 'an array',
  Object: 'an object',
};

/** What valibot expected, such as `string` or `("A" | "B")`, in words. */
function expectedText(expected: string): string {
  const options = expected.replace(/^\((.*)\)$/, '$1').split(' | ');
  const words = options.map((option) => NAMED_TYPES[option] ?? option.replaceAll('"', ''));
  return words.length === 1 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function pathText(issue: v.BaseIssue<unknown>): string {
  let text = '';
  for (const item of issue.path ?? []) {
    if (typeof item.key === 'number') text += `[${item.key}]`;
    else text += `${text === '' ? '' : '.'}${String(item.key).slice(0, 64)}`;
  }
  return text;
}
