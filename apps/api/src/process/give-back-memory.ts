import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What is looked at, and what can be done. */
export interface MemoryGauge {
  /** How much of the time since it was last asked the event loop was at work: 0 to 1. */
  load(): number;
  /** What the space of young objects takes of the machine, in bytes. */
  youngBytes(): number;
  /** Collects young objects, in some milliseconds. */
  collect(): void;
}

const LOOK_EVERY_MS = 10_000;
const IDLE_LOAD_MAX = 0.1;
const YOUNG_BYTES_KEPT = 16 * 2 ** 20;

/**
 * Looks now and then whether memory can be given back. V8 gives back what a rush has taken when it collects, and it collects
 * when something is allocated: a process that falls silent would keep all of it. Returns what stops it.
 */
export function giveBackMemory(gauge: MemoryGauge = createMemoryGauge()): () => void {
  const look = setInterval(() => lookAtMemory(gauge), LOOK_EVERY_MS).unref();
  return () => clearInterval(look);
}

/** Collects where there is little else to do and much to be had. */
export function lookAtMemory({ load, youngBytes, collect }: MemoryGauge): void {
  if (load() < IDLE_LOAD_MAX && youngBytes() > YOUNG_BYTES_KEPT) collect();
}

/** The engine's own. */
export function createMemoryGauge(): MemoryGauge {
  let last = performance.eventLoopUtilization();
  let collector: ((options: { readonly type: 'minor' }) => void) | null = null;
  return {
    load: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    youngBytes: () =>
      getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.physical_space_size ?? 0,
    collect: () => {
      collector ??= findCollector();
      collector({ type: 'minor' });
    },
  };
}

/** Contexts made while the flag is set have it. */
function findCollector(): (options: { readonly type: 'minor' }) => void {
  setFlagsFromString('--expose-gc');
  const collector = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return collector;
}
