import type { CpuSeconds } from '../service/cpu-time.ts';
import type { AnswerCounts } from './attacker.ts';

/** What an attack achieves at least; with less it did not take place, and its row shows nothing. */
export interface LeastEffect {
  /** Numbers of outcomes. */
  readonly outcomes: AnswerCounts;
  /** CPU seconds of processes beyond what they take without the attack; 0 in the short form, whose attacks take less than the noise. */
  readonly cpuSeconds?: CpuSeconds;
}

/** What an attack has achieved so far. */
export interface Effect {
  readonly outcomes: AnswerCounts;
  readonly cpuSeconds: CpuSeconds;
}

/** What is missing of the least effect, one sentence each. */
export function verifyEffect(least: LeastEffect, { outcomes, cpuSeconds }: Effect): readonly string[] {
  const rare = Object.entries(least.outcomes)
    .map(([outcome, min]) => ({ outcome, min, count: outcomes[outcome] ?? 0 }))
    .filter(({ count, min }) => count < min)
    .map(({ outcome, min, count }) => `${outcome}: ${count} times instead of ${min}`);
  const idle = Object.entries(least.cpuSeconds ?? {})
    .map(([name, min]) => ({ name, min, seconds: cpuSeconds[name] ?? 0 }))
    .filter(({ seconds, min }) => seconds < min)
    .map(({ name, min, seconds }) => `${name} worked ${seconds.toFixed(1)} s more than without it, instead of ${min}`);
  return [...rare, ...idle].map((text) => `the attack did not take place: ${text}`);
}

/** The CPU seconds of a while beyond what the same while takes without an attack. */
export const cpuSecondsBeyond = (calmPerSecond: CpuSeconds, used: CpuSeconds, seconds: number): CpuSeconds =>
  Object.fromEntries(
    Object.entries(used).map(([name, own]) => [name, Math.max(0, own - (calmPerSecond[name] ?? 0) * seconds)]),
  );
