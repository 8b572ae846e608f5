import * as v from 'valibot';
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { Position, Problem } from '../output/problem.ts';
import { rulebookFile, type WrittenPolicy, type WrittenTest } from './schema.ts';

/** A path in a document, such as `['policies', 0, 'left']`. */
export type Path = readonly (string | number)[];

/** A policy and where it is. */
export interface PlacedPolicy {
  readonly policy: WrittenPolicy;
  readonly at: Position;
  /** Where a part of it is. */
  readonly positionOf: (path: Path) => Position;
}

/** A test and where it is. */
export interface PlacedTest {
  readonly test: WrittenTest;
  readonly at: Position;
  readonly positionOf: (path: Path) => Position;
}

/** A file of a rulebook. */
export interface ParsedFile {
  readonly path: string;
  readonly policies: readonly PlacedPolicy[];
  readonly tests: readonly PlacedTest[];
  readonly problems: readonly Problem[];
}

/** Reads YAML as rulebooks use it: 1.2 core, no unknown tags, no duplicate keys. */
export function parseYaml(text: string): { readonly document: Document.Parsed; readonly lines: LineCounter } {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    strict: true,
    uniqueKeys: true,
    prettyErrors: false,
    lineCounter: lines,
  });
  return { document, lines };
}

/** Parses a file of a rulebook. What is wrong is among the `problems`; then there are no policies and tests. */
export function parseRulebookFile(path: string, text: string): ParsedFile {
  const { document, lines } = parseYaml(text);
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { file: path, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const failed = (problems: readonly Problem[]): ParsedFile => ({ path, policies: [], tests: [], problems });
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) return failed(faults.map(({ pos, message }) => ({ at: at(pos[0]), text: message })));
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 1000 }) ?? {};
  } catch (error) {
    return failed([{ at: at(0), text: error instanceof Error ? error.message : String(error) }]);
  }
  const positionOf = (parts: Path): Position => at(offsetOf(document, parts));
  const parsed = v.safeParse(rulebookFile, value, { abortPipeEarly: true });
  if (!parsed.success) {
    const problems = parsed.issues.map((issue) => {
      const parts = (issue.path ?? []).map(({ key }) => key as string | number);
      return { at: positionOf(parts), text: describeIssue(issue, parts) };
    });
    return failed(problems);
  }
  const { policies = [], tests = [] } = parsed.output;
  const place = (list: string, index: number) => ({
    at: positionOf([list, index]),
    positionOf: (parts: Path) => positionOf([list, index, ...parts]),
  });
  return {
    path,
    policies: policies.map((policy, index) => ({ policy, ...place('policies', index) })),
    tests: tests.map((test, index) => ({ test, ...place('tests', index) })),
    problems: [],
  };
}

/** Where the deepest part of a path that exists begins: an item, or the key of a property. */
function offsetOf(document: Document.Parsed, parts: Path): number {
  let node: unknown = document.contents;
  let offset = rangeStart(node) ?? 0;
  for (const part of parts) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? String(key.value) : String(key)) === String(part));
      if (pair === undefined) break;
      offset = rangeStart(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof part === 'number') {
      node = node.items[part];
      offset = rangeStart(node) ?? offset;
    } else break;
  }
  return offset;
}

const rangeStart = (node: unknown): number | undefined => (isNode(node) ? (node as Node).range?.[0] : undefined);

function describeIssue(issue: v.BaseIssue<unknown>, parts: Path): string {
  const name = pathText(parts);
  const { expected, received, message, kind } = issue;
  if (expected === 'never') return `${name}: unknown key`;
  if (received === 'undefined' && kind === 'schema') return `${name}: is missing`;
  if (kind === 'schema' && message.startsWith('Invalid '))
    return `${name}: must be ${expectedText(expected ?? 'something else')}${expected === 'string' && /^\d|true|false|null/.test(received) ? ', in quotes' : ''}`;
  return `${name}: ${message}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  Array: 'a list',
  Object: 'a map of keys and values',
};

const expectedText = (expected: string): string =>
  TYPES[expected] ??
  expected
    .replace(/^\((.*)\)$/, '$1')
    .replaceAll('"', '')
    .replaceAll(' | ', ' or ');

const pathText = (parts: Path): string =>
  parts.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '') || 'the file';
