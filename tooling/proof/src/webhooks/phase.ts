import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readCpuSeconds } from '../service/cpu-time.ts';
import type { Fleet } from '../service/open-fleet.ts';
import { readHeld } from '../service/resident-memory.ts';
import { type Latencies, measureEvents, type Pace, type Subscriber } from './paced-events.ts';

/** What a phase cost, and how long its events took. */
export interface Phase {
  readonly tenants: readonly (Latencies & { readonly name: string })[];
  readonly processes: readonly ProcessFigures[];
  /** By how much the timers of the campaign were late: so much of the latencies is its own. */
  readonly ownDelayMs: number;
}

interface ProcessFigures {
  readonly name: string;
  readonly cpuSeconds: number;
  /** Held after its garbage was collected. */
  readonly mib: number;
}

export interface PhaseLimits {
  readonly judged: 'medianMs' | 'p95Ms';
  /** The limit for a latency that was measured without failing webhooks. */
  limitMs(calmMs: number): number;
}

const MIB_MORE_MAX = 100;

/** Measures the events of all subscribers at the same time. */
export async function measurePhase(subscribers: readonly Subscriber[], fleet: Fleet, pace: Pace): Promise<Phase> {
  const slots = [...fleet.apis, ...fleet.workers];
  const ownDelay = monitorEventLoopDelay();
  ownDelay.enable();
  const before = readCpuSeconds(slots);
  const tenants = await Promise.all(
    subscribers.map(async (each) => ({ name: each.name, ...(await measureEvents(each, pace)) })),
  );
  const after = readCpuSeconds(slots);
  ownDelay.disable();
  const held = await readHeld(slots);
  const processes = slots.map(({ name }) => ({
    name,
    cpuSeconds: (after[name] ?? 0) - (before[name] ?? 0),
    mib: Math.round((held[name] ?? 0) / 2 ** 20),
  }));
  return { tenants, processes, ownDelayMs: Math.round(ownDelay.percentile(99) / 1e6) };
}

/** One line: median, 95th percentile and the longest in milliseconds, and what the processes took. */
export const describePhase = ({ tenants, processes, ownDelayMs }: Phase): string =>
  [
    ...tenants.map(({ name, medianMs, p95Ms, maxMs }) => `${name} ${medianMs}/${p95Ms}/${maxMs} ms`),
    `own delay ${ownDelayMs} ms`,
    ...processes.map(({ name, cpuSeconds, mib }) => `${name} ${cpuSeconds.toFixed(1)} CPU s and ${mib} MiB`),
  ].join(', ');

/** What became slower, was lost or grew, one sentence each. */
export function verifyPhases(calm: Phase, during: Phase, { judged, limitMs }: PhaseLimits): readonly string[] {
  const slower = during.tenants.flatMap((tenant, at) => {
    const limit = limitMs(calm.tenants[at]?.[judged] ?? 0);
    return tenant[judged] <= limit
      ? []
      : [`events of ${tenant.name} took ${tenant[judged]} ms (${judged}, limit ${limit})`];
  });
  const failures = [...calm.tenants, ...during.tenants].flatMap((tenant) => tenant.failures);
  const larger = during.processes
    .map(({ name, mib }, at) => ({ name, more: mib - (calm.processes[at]?.mib ?? 0) }))
    .filter(({ more }) => more > MIB_MORE_MAX)
    .map(({ name, more }) => `${name} holds ${more} MiB more`);
  return [
    ...slower,
    ...(failures.length === 0 ? [] : [`${failures.length} failures, such as: ${failures[0]}`]),
    ...larger,
  ];
}
