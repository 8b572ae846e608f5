import type { Position } from '../output/problem.ts';

/** Something that a gate points at. */
export interface GateFinding {
  /** What kind of finding it is: a code of lint, or the id of a policy. */
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly text: string;
  readonly at: Position | null;
}

/** Something that a gate has examined: a test, or a policy. */
export interface GateCase {
  readonly name: string;
  readonly group: string;
  readonly at: Position | null;
  /** Null where it is in order. */
  readonly failure: string | null;
}

/** What `lint`, `test`, `diff` and `scan` have found. */
export interface GateReport {
  /** The name of the command. */
  readonly command: string;
  /** The outcome in a sentence. */
  readonly summary: string;
  readonly findings: readonly GateFinding[];
  readonly cases: readonly GateCase[];
  /** What people read below the summary. */
  readonly human: () => string;
  /** What a pull request shows below the summary. */
  readonly markdown: () => string;
  /** The facts as one JSON document, in pieces. */
  readonly json: () => Iterable<string> | AsyncIterable<string>;
}

/** The formats of gates. */
export const GATE_FORMATS = ['human', 'json', 'junit', 'sarif', 'github', 'markdown'] as const;
/** One of the formats of gates. */
export type GateFormat = (typeof GATE_FORMATS)[number];
