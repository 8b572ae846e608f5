import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Measures memory and load, and collects garbage. */
export interface MemoryGauge {
  /** The utilization of the event loop since the last call, 0 to 1. */
  load(): number;
  /** The physical memory of the space of young objects, in bytes. */
  youngBytes(): number;
  /** Collects young objects, in some milliseconds. */
  collect(): void;
}

const CHECK_EVERY_MS = 10_000;
const IDLE_LOAD_MAX = 0.1;
const YOUNG_BYTES_KEPT = 16 * 2 ** 20;

/**
 * Checks every few seconds whether memory can be given back. V8 gives memory back when it collects, and collects when something
 * is allocated: an idle process would keep what a rush has taken. Returns a function that stops it.
 */
export function giveBackMemory(gauge: MemoryGauge = createMemoryGauge()): () => void {
  const timer = setInterval(() => checkMemory(gauge), CHECK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** Collects if the process is idle and its young space is large. */
export function checkMemory({ load, youngBytes, collect }: MemoryGauge): void {
  if (load() < IDLE_LOAD_MAX && youngBytes() > YOUNG_BYTES_KEPT) collect();
}

/** Measures V8 and the event loop of this process. */
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

/** The function exists in contexts that are created while the flag is set. */
function findCollector(): (options: { readonly type: 'minor' }) => void {
  setFlagsFromString('--expose-gc');
  const collector = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return collector;
}
