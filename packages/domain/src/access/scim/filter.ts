/** The operators that compare an attribute with a value (RFC 7644, 3.4.2.2). */
const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;

/** An operator that compares. */
export type ScimOperator = (typeof OPERATORS)[number];

/** A value to compare with. */
export type ScimValue = string | number | boolean | null;

/** A filter of SCIM. Names of attributes are in small letters, without the URN of a core schema. */
export type ScimFilter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly ScimFilter[] }
  | { readonly kind: 'not'; readonly filter: ScimFilter }
  | { readonly kind: 'present'; readonly attribute: string }
  | ScimComparison
  /** Whether one value of an attribute meets a filter on its sub-attributes. */
  | { readonly kind: 'value'; readonly attribute: string; readonly filter: ScimFilter };

/** A filter that compares one attribute. */
export interface ScimComparison {
  readonly kind: 'compare';
  readonly attribute: string;
  readonly operator: ScimOperator;
  readonly value: ScimValue;
}

/** How deep parentheses, brackets and `not` may be nested. */
const DEPTH_MAX = 32;

type Token =
  | { readonly kind: 'word' | 'mark'; readonly text: string }
  | { readonly kind: 'value'; readonly value: ScimValue };

const TOKEN =
  /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.:$-])|([A-Za-z$][\w.:$-]*))/y;

class Unreadable extends Error {}

/** Parses a filter; null where it is none. */
export const parseScimFilter = (text: string): ScimFilter | null => parseWhole(text, (parser) => parser.or(0));

/** The target of an operation of PATCH: an attribute, one of its values by a filter, and a sub-attribute. */
export interface ScimPath {
  readonly attribute: string;
  readonly filter: ScimFilter | null;
  readonly subAttribute: string | null;
}

/** Parses a path of PATCH; null where it is none. Its names are as they are given, without the URN of a core schema. */
export function parseScimPath(text: string): ScimPath | null {
  const [, name = '', filter, subAttribute] =
    /^\s*([^[\]\s]+)(?:\[(.*)\](?:\.([A-Za-z$][\w$-]*))?)?\s*$/s.exec(text) ?? [];
  if (!/^[A-Za-z$][\w.:$-]*$/.test(name)) return null;
  const parsed = filter === undefined ? null : parseScimFilter(filter);
  if (filter !== undefined && parsed === null) return null;
  return { attribute: withoutCore(name), filter: parsed, subAttribute: subAttribute ?? null };
}

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i;

const withoutCore = (name: string): string => name.replace(CORE, '');

function parseWhole<T>(text: string, parse: (parser: Parser) => T): T | null {
  try {
    const parser = createParser(tokensOf(text));
    const parsed = parse(parser);
    return parser.isAtEnd() ? parsed : null;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const trimmed = text.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const [, mark, quoted, number, word] = TOKEN.exec(trimmed) ?? [];
    if (mark !== undefined) tokens.push({ kind: 'mark', text: mark });
    else if (quoted !== undefined) tokens.push({ kind: 'value', value: unquote(quoted) });
    else if (number !== undefined) tokens.push({ kind: 'value', value: Number(number) });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else throw new Unreadable();
  }
  return tokens;
}

function unquote(quoted: string): string {
  try {
    return JSON.parse(quoted);
  } catch {
    throw new Unreadable();
  }
}

interface Parser {
  or(depth: number): ScimFilter;
  isAtEnd(): boolean;
}

const CONSTANTS: Readonly<Record<string, ScimValue>> = { true: true, false: false, null: null };

function createParser(tokens: readonly Token[]): Parser {
  let at = 0;
  const wordAt = (position: number): string => {
    const token = tokens[position];
    return token?.kind === 'word' ? token.text : '';
  };
  const isMark = (text: string): boolean => {
    const token = tokens[at];
    return token?.kind === 'mark' && token.text === text;
  };
  const takeMark = (text: string): void => {
    if (!isMark(text)) throw new Unreadable();
    at += 1;
  };
  const series = (kind: 'and' | 'or', next: () => ScimFilter): ScimFilter => {
    const filters = [next()];
    while (wordAt(at).toLowerCase() === kind) {
      at += 1;
      filters.push(next());
    }
    const [first] = filters;
    return filters.length === 1 && first !== undefined ? first : { kind, filters };
  };
  const or = (depth: number): ScimFilter => series('or', () => series('and', () => term(depth)));
  const grouped = (depth: number, open: string, close: string): ScimFilter => {
    if (depth >= DEPTH_MAX) throw new Unreadable();
    takeMark(open);
    const filter = or(depth + 1);
    takeMark(close);
    return filter;
  };
  const term = (depth: number): ScimFilter => {
    if (isMark('(')) return grouped(depth, '(', ')');
    const next = tokens[at + 1];
    if (wordAt(at).toLowerCase() === 'not' && next?.kind === 'mark' && next.text === '(') {
      at += 1;
      return { kind: 'not', filter: grouped(depth, '(', ')') };
    }
    return comparison(depth);
  };
  const comparison = (depth: number): ScimFilter => {
    const attribute = withoutCore(wordAt(at)).toLowerCase();
    if (attribute === '') throw new Unreadable();
    at += 1;
    if (isMark('[')) return { kind: 'value', attribute, filter: grouped(depth, '[', ']') };
    const name = wordAt(at).toLowerCase();
    at += 1;
    if (name === 'pr') return { kind: 'present', attribute };
    const operator = OPERATORS.find((each) => each === name);
    if (operator === undefined) throw new Unreadable();
    return { kind: 'compare', attribute, operator, value: takeValue() };
  };
  const takeValue = (): ScimValue => {
    const token = tokens[at];
    at += 1;
    if (token?.kind === 'value') return token.value;
    const value = token?.kind === 'word' ? CONSTANTS[token.text.toLowerCase()] : undefined;
    if (value === undefined) throw new Unreadable();
    return value;
  };
  return { or, isAtEnd: () => at === tokens.length };
}
