import type { BystanderFigures } from '../bystander/figures.ts';
import type { ResidentMemory } from '../service/resident-memory.ts';

/** What the bystander may feel of an attack, in milliseconds and bytes. */
export interface Limits {
  predictMs(calmMs: number): number;
  checkMs(calmMs: number): number;
  scanMs(calmMs: number): number;
  /** Within this time of the attack's end all is as before. */
  readonly recoveryMs: number;
  readonly bytesMore: number;
}

/** The promise. It needs hundreds of calls, and a machine without other work. */
export const STRICT: Limits = {
  predictMs: (calmMs) => 2 * calmMs + 50,
  checkMs: () => 1_000,
  scanMs: (calmMs) => 3 * calmMs,
  recoveryMs: 5_000,
  bytesMore: 100 * 2 ** 20,
};

/** For attacks of a few seconds on a busy machine: what is stalled, starved or lost is far beyond these. */
export const ROUGH: Limits = {
  predictMs: (calmMs) => 5 * calmMs + 1_000,
  checkMs: (calmMs) => 5 * calmMs + 2_000,
  scanMs: (calmMs) => 5 * calmMs + 2_000,
  recoveryMs: 10_000,
  bytesMore: 150 * 2 ** 20,
};

/** What the bystander felt beyond the limits, one sentence each. */
export function verifyFigures(limits: Limits, calm: BystanderFigures, seen: BystanderFigures): readonly string[] {
  const judged = [
    ['p99 of its predictions', seen.flows.predict.p99Ms, limits.predictMs(calm.flows.predict.p99Ms)],
    ['p95 of its checks', seen.flows.check.p95Ms, limits.checkMs(calm.flows.check.p95Ms)],
    ['p95 of its scans', seen.flows.scan.p95Ms, limits.scanMs(calm.flows.scan.p95Ms)],
  ] as const;
  const [failure] = seen.failures;
  return [
    ...judged
      .filter(([, ms, msMax]) => ms > msMax)
      .map(([what, ms, msMax]) => `${what} was ${Math.round(ms)} ms (limit ${Math.round(msMax)})`),
    ...(failure === undefined ? [] : [`${seen.failures.length} of its answers were wrong, such as ${failure}`]),
  ];
}

/** Processes that hold more memory than before, one sentence each. */
export const verifyMemory = ({ bytesMore }: Limits, before: ResidentMemory, after: ResidentMemory): readonly string[] =>
  Object.entries(after)
    .map(([name, bytes]) => ({ name, more: bytes - (before[name] ?? 0) }))
    .filter(({ more }) => more > bytesMore)
    .map(({ name, more }) => `${name} holds ${Math.round(more / 2 ** 20)} MiB more than before`);
