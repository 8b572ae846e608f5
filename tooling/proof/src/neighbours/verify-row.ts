import type { BystanderFigures, FlowName } from '../bystander/figures.ts';
import type { ResidentMemory } from '../service/resident-memory.ts';

/** What the bystander may feel of an attack, in milliseconds and bytes. */
export interface Limits {
  /** The flows that are judged: a percentile, and its limit for the one that was measured without an attack. */
  readonly judged: readonly (readonly [FlowName, Percentile, (calmMs: number) => number])[];
  /** Within this time of the attack's end all is as before. */
  readonly recoveryMs: number;
  readonly bytesMore: number;
}

type Percentile = 'p50' | 'p95' | 'p99';

/** The promise. It needs hundreds of calls, and a machine without other work. */
export const STRICT: Limits = {
  judged: [
    ['predict', 'p99', (calmMs) => 5 * calmMs + 100],
    ['check', 'p95', () => 2_000],
    // Scans share their places with those of the attacker: they may wait, and do not starve.
    ['scan', 'p95', (calmMs) => 5 * calmMs + 5_000],
  ],
  recoveryMs: 5_000,
  bytesMore: 100 * 2 ** 20,
};

/** For attacks of a few seconds on a busy machine: what is stalled, starved or lost is far beyond these. */
export const ROUGH: Limits = {
  judged: [
    ['predict', 'p50', (calmMs) => 5 * calmMs + 1_000],
    ['check', 'p50', (calmMs) => 5 * calmMs + 3_000],
    ['scan', 'p50', (calmMs) => 5 * calmMs + 5_000],
  ],
  recoveryMs: 10_000,
  bytesMore: 150 * 2 ** 20,
};

/** What the bystander felt beyond the limits, one sentence each. */
export function verifyFigures({ judged }: Limits, calm: BystanderFigures, seen: BystanderFigures): readonly string[] {
  const [failure] = seen.failures;
  const felt = judged.map(([flow, percentile, limit]) => {
    const ms = seen.flows[flow][`${percentile}Ms`];
    const msMax = limit(calm.flows[flow][`${percentile}Ms`]);
    return ms <= msMax ? [] : [`its ${flow} took ${Math.round(ms)} ms at ${percentile} (limit ${Math.round(msMax)})`];
  });
  return [
    ...felt.flat(),
    ...(failure === undefined ? [] : [`${seen.failures.length} of its answers were wrong, such as ${failure}`]),
  ];
}

/** Processes that hold more memory than before, one sentence each. */
export const verifyMemory = ({ bytesMore }: Limits, before: ResidentMemory, after: ResidentMemory): readonly string[] =>
  Object.entries(after)
    .map(([name, bytes]) => ({ name, more: bytes - (before[name] ?? 0) }))
    .filter(({ more }) => more > bytesMore)
    .map(({ name, more }) => `${name} holds ${Math.round(more / 2 ** 20)} MiB more than before`);
