import { setImmediate } from 'node:timers/promises';
import type { RegisterMaintenance, Store } from '@access-admin/store';
import { createSodReader } from '@access-admin/store';
import { type RunRoundDeps, runRound } from '../src/register/run-round.ts';
import { createPopulations } from '../src/reports/population.ts';

/** Thrown instead of, or after, a write of a worker that is killed there. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

const WRITES = ['apply', 'publish', 'removeEnded'] as const;

/** The maintenance of a worker that dies before or after its nth write. */
export function killedAt(register: RegisterMaintenance, nth: number, isAfter: boolean): RegisterMaintenance {
  let writes = 0;
  const killing =
    <Args extends readonly unknown[], T>(write: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      writes += 1;
      if (writes === nth && !isAfter) throw new Killed();
      const result = await write(...args);
      if (writes === nth) throw new Killed();
      return result;
    };
  const killed = Object.fromEntries(WRITES.map((name) => [name, killing(register[name] as never)]));
  return { ...register, ...killed } as RegisterMaintenance;
}

export interface RegisterWorker {
  /** Runs rounds until no register has anything to do. The time moves to what `onStep` returns in each pause. */
  settle(nowMs: number, onStep?: () => Promise<number>): Promise<number>;
  /** Runs one round, by the clock of the options; false when no register has anything to do. */
  round(): Promise<boolean>;
}

interface RegisterWorkerOptions {
  readonly exceptionsMax: number;
  readonly batchMax: number;
  /** A clock for single rounds. */
  now(): number;
  onWarning(fields: object): void;
}

/** A worker that only keeps registers, with a memory of its own. */
export function createRegisterWorker(
  store: Store,
  register: RegisterMaintenance = store.register,
  { onWarning = () => {}, exceptionsMax = 1_000, batchMax = 1_000, now }: Partial<RegisterWorkerOptions> = {},
): RegisterWorker {
  let nowMs = 0;
  const clock = now ?? (() => nowMs);
  const deps: Omit<RunRoundDeps, 'pause'> = {
    register,
    reader: createSodReader(store.sod),
    populations: createPopulations({ bytesMax: 1e9, shardSize: 4 }),
    log: { warn: onWarning },
    violationRetentionDays: 400,
    exceptionsMax,
    batchMax,
    now: clock,
    wait: async () => void (await setImmediate()),
  };
  const runOne = async (onStep: () => Promise<number>): Promise<boolean> => {
    const [claim] = await register.claim({ nowMs: clock(), leaseMs: 5_000, limit: 1 });
    if (claim === undefined) return false;
    const pause = async () => {
      nowMs = await onStep();
    };
    await runRound({ ...deps, pause }, claim);
    await register.release(claim, 0);
    return true;
  };
  return {
    settle: async (atMs, onStep = async () => nowMs) => {
      nowMs = atMs;
      for (let rounds = 0; ; rounds++) if (!(await runOne(onStep))) return rounds;
    },
    round: () => runOne(async () => nowMs),
  };
}
