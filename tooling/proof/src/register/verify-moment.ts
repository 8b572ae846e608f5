import type { SodViolation } from '@access-admin/client';

/** What the register must show between two changes. */
export interface Expected {
  /** The identities of the single changes that violate their policy. */
  readonly solos: ReadonlySet<string>;
  /** How many of the crowd, which one import changes, violate theirs. */
  readonly crowd: number;
}

/** The state that a change leads to. Times are in milliseconds since 1970, by one clock. */
export interface State {
  /** Before the change was sent. */
  readonly begunMs: number;
  /** When its answer had come; infinite while it has not. */
  answeredMs: number;
  readonly expected: Expected;
}

/** An answer about the register. */
export interface MomentAnswer {
  /** Its operation, for its reader. */
  readonly operation: string;
  /** Null before the first filling. */
  readonly asOf: string | null;
  /** The rows of it. */
  readonly violations: readonly SodViolation[];
  /** What it says of the present violations, as far as it does. */
  readonly solos?: readonly string[];
  readonly crowd?: number;
  readonly present?: number;
}

/**
 * What is wrong with an answer, by its moment. It has every change whose answer had come before its moment, and none that began
 * after it; no row is of a later time; and its reader was told no later moment before.
 */
export function verifyMoment(
  answer: MomentAnswer,
  { states, before }: { readonly states: readonly State[]; readonly before: string },
): readonly string[] {
  const { operation, asOf, violations } = answer;
  if (asOf === null) return [`${operation} has no moment`];
  const momentMs = Date.parse(asOf);
  const last = states.findLastIndex(({ begunMs }) => begunMs <= momentMs);
  const first = states.findLastIndex(({ answeredMs }) => answeredMs < momentMs);
  const possible = states.slice(Math.max(0, first), last + 1);
  const isRight = possible.some(({ expected }) => isSeen(expected, answer));
  const known = states.findIndex(({ expected }) => isSeen(expected, answer));
  const late = violations.filter(
    ({ created, modified, closed }) => created > asOf || modified > asOf || (closed ?? '') > asOf,
  );
  const undated = violations.filter(({ closed, lastEvaluatedDate }) => lastEvaluatedDate !== (closed ?? asOf));
  return [
    ...(isRight
      ? []
      : [
          `${operation} of ${asOf} shows ${known < 0 ? 'what never was' : `another state, ${describe(states, known)}`}: ${textOf(answer)}`,
        ]),
    ...late.slice(0, 1).map(({ id, modified }) => `${operation} of ${asOf} has a row, ${id}, of ${modified}`),
    ...undated
      .slice(0, 1)
      .map(({ id, lastEvaluatedDate }) => `${operation} of ${asOf} says that ${id} is of ${lastEvaluatedDate}`),
    ...(before <= asOf ? [] : [`${operation} of ${asOf} came after one of ${before}`]),
  ];
}

const describe = (states: readonly State[], number: number): string => {
  const { begunMs = 0, answeredMs = 0 } = states[number] ?? {};
  const timeOf = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString() : 'never');
  return `that of a change from ${timeOf(begunMs)} to ${timeOf(answeredMs)}`;
};

function isSeen({ solos, crowd }: Expected, answer: MomentAnswer): boolean {
  if (answer.crowd !== undefined && answer.crowd !== crowd) return false;
  if (answer.present !== undefined && answer.present !== crowd + solos.size) return false;
  if (answer.solos === undefined) return true;
  return answer.solos.length === solos.size && answer.solos.every((id) => solos.has(id));
}

const textOf = ({ solos, crowd, present }: MomentAnswer): string =>
  JSON.stringify({ solos: solos?.toSorted(), crowd, present });
