import { ATTRIBUTE_NAME, type Failure, fail, failure, knownTextRule, ok, type Result } from '@access-admin/domain';
import * as v from 'valibot';
import { instant } from '../validation/fields.ts';

/** A comparison operator. */
export type FilterOperator = 'eq' | 'in' | 'ge' | 'le' | 'sw' | 'co';

/** A field that `filters` can compare. */
export interface FilterField {
  readonly operators: readonly FilterOperator[];
  /** The type of its literals; an instant is given with an offset and compared in UTC. */
  readonly kind: 'text' | 'instant';
  /** The accepted literals; any text if left out. */
  readonly values?: readonly string[];
  /** Whether `eq` may be followed by `null`, without quotes, for records without a value. */
  readonly isNullable?: boolean;
  /** The fewest characters of a literal of `co`, as an index needs them; any number if left out. */
  readonly partLengthMin?: number;
}

/** The fields that `filters` of a list can compare, by name. */
export type FilterFields = Readonly<Record<string, FilterField>>;

/** The name under which fields have the attributes of a record; a filter names one of them, such as `attributes.department`. */
export const ATTRIBUTES = 'attributes.*';
const ATTRIBUTE_PREFIX = 'attributes.';

/** One comparison of a filter. Only `in` has several values; `eq null` has none. */
export interface FilterCondition {
  readonly field: string;
  readonly operator: FilterOperator;
  readonly values: readonly string[];
  /** The name of the attribute; left out for other fields. */
  readonly attribute?: string;
}

/** One comparison on one of these fields, with an operator and values that the field has. */
export type ConditionOf<F extends FilterFields> = {
  readonly [Name in keyof F & string]: Name extends typeof ATTRIBUTES
    ? Comparison<F, Name> & { readonly attribute: string }
    : Comparison<F, Name>;
}[keyof F & string];

interface Comparison<F extends FilterFields, Name extends keyof F & string> {
  readonly field: Name;
  readonly operator: F[Name]['operators'][number];
  readonly values: readonly LiteralOf<F[Name]>[];
}

type LiteralOf<F extends FilterField> = F extends { readonly values: readonly (infer Value)[] } ? Value : string;

const TOKEN = /\s*(?:([A-Za-z][A-Za-z0-9_.-]*)|"((?:[^"\\\0]|\\["\\])*)"|([(),]))/y;

type Token = { readonly kind: 'word' | 'literal' | 'sign'; readonly text: string };

/**
 * Parses filters such as `name sw "AP" and state in ("ENFORCED", "NOT_ENFORCED")`: literals in double quotes, `\"` and `\\`
 * within them, joined by `and`. `IllegalValue` for anything else, for unknown fields, and for operators that a field does not support.
 */
export function parseFilters<F extends FilterFields>(
  text: string,
  fields: F,
): Result<readonly ConditionOf<F>[], Failure> {
  const tokens = tokensOf(text);
  if (tokens === null)
    return illegal(
      'must have its values in double quotes, such as name eq "AP"; within them write \\" for " and \\\\ for \\',
    );
  const conditions: FilterCondition[] = [];
  const rest = tokens.values();
  for (;;) {
    const condition = readCondition(rest, fields);
    if (!condition.ok) return condition;
    conditions.push(condition.value);
    const joint = rest.next().value;
    // The field, its operator and its values have been compared with what `fields` has.
    if (joint === undefined) return ok(conditions as readonly FilterCondition[] as readonly ConditionOf<F>[]);
    if (joint.kind !== 'word' || joint.text !== 'and')
      return illegal('must have and between two comparisons: nothing else can follow a comparison');
  }
}

function readCondition(rest: Iterator<Token, undefined>, fields: FilterFields): Result<FilterCondition, Failure> {
  const name = rest.next().value;
  const word = rest.next().value;
  const known = name?.kind === 'word' ? knownField(fields, name.text) : null;
  const field = known === null ? undefined : fields[known.field];
  if (name === undefined || known === null || field === undefined)
    return illegal(`the name of a field ${knownTextRule(Object.keys(fields), name?.text)}`);
  const operator = field.operators.find((each) => word?.kind === 'word' && each === word.text);
  if (operator === undefined)
    return illegal(
      `the operator after ${name.text} ${knownTextRule(field.operators, word?.text)}, such as ${exampleOf(name.text, field)}`,
    );
  const literals =
    operator === 'in' ? readList(rest) : readLiteral(rest, operator === 'eq' && field.isNullable === true);
  if (literals === null)
    return illegal(
      operator === 'in'
        ? 'after in there must be a list such as ("a", "b")'
        : `after ${operator} there must be one value in double quotes, such as "a"`,
    );
  const { values = literals } = field;
  if (!literals.every((literal) => values.includes(literal)))
    return illegal(
      `the value of ${name.text} ${knownTextRule(
        values,
        literals.find((literal) => !values.includes(literal)),
      )}`,
    );
  const { partLengthMin = 0 } = field;
  if (operator === 'co' && [...(literals[0] ?? '').normalize('NFC')].length < partLengthMin)
    return illegal(`the value after ${name.text} co must have at least ${partLengthMin} characters`);
  if (field.kind === 'text') return ok({ ...known, operator, values: literals });
  const instants = literals.map(toInstant);
  return instants.every((instant) => instant !== null)
    ? ok({ ...known, operator, values: instants })
    : illegal(
        `the value of ${name.text} must be an instant in ISO 8601 with an offset, such as "2026-11-21T09:30:00Z"`,
      );
}

/** The field that a filter names, and its attribute. */
function knownField(fields: FilterFields, text: string): Pick<FilterCondition, 'field' | 'attribute'> | null {
  if (text !== ATTRIBUTES && Object.hasOwn(fields, text)) return { field: text };
  const attribute = text.startsWith(ATTRIBUTE_PREFIX) ? text.slice(ATTRIBUTE_PREFIX.length) : '';
  return Object.hasOwn(fields, ATTRIBUTES) && ATTRIBUTE_NAME.test(attribute) ? { field: ATTRIBUTES, attribute } : null;
}

function exampleOf(name: string, { operators, values, kind }: FilterField): string {
  const value = values?.[0] ?? (kind === 'instant' ? '2026-11-21T09:30:00Z' : 'a');
  return operators[0] === 'in' ? `${name} in ("${value}")` : `${name} ${operators[0]} "${value}"`;
}

/** No value stands for `null`. */
function readLiteral(rest: Iterator<Token, undefined>, isNullable = false): readonly string[] | null {
  const token = rest.next().value;
  if (isNullable && token?.kind === 'word' && token.text === 'null') return [];
  return token?.kind === 'literal' ? [token.text] : null;
}

function readList(rest: Iterator<Token, undefined>): readonly string[] | null {
  if (rest.next().value?.text !== '(') return null;
  const values: string[] = [];
  for (;;) {
    const [literal] = readLiteral(rest) ?? [];
    const sign = rest.next().value;
    if (literal === undefined || sign?.kind !== 'sign') return null;
    values.push(literal);
    if (sign.text === ')') return values;
    if (sign.text !== ',') return null;
  }
}

/** Splits the text into tokens; null where it contains anything else. */
function tokensOf(text: string): readonly Token[] | null {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < end; ) {
    const [, word, literal, sign] = TOKEN.exec(text) ?? [];
    if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else if (literal !== undefined) tokens.push({ kind: 'literal', text: literal.replaceAll(/\\(["\\])/g, '$1') });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    else return null;
  }
  return tokens;
}

/** The instant in UTC with milliseconds, as the store has it; null if the text is not an instant. */
function toInstant(text: string): string | null {
  const parsed = v.safeParse(instant, text);
  return parsed.success ? parsed.output : null;
}

const illegal = (text: string) => fail(failure('IllegalValue', 'filters', text));
