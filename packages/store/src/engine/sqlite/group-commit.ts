import { setImmediate } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import { createPauses } from '../concurrency/pauses.ts';
import { OutcomeUnknown, StorageUnavailable } from '../errors.ts';
import { sqliteStateOf } from './errors.ts';

interface Job {
  /** Does the work and resolves with a function that resolves its caller's promise. */
  readonly run: (trx: Transaction<Tables>) => Promise<() => void>;
  readonly fail: (error: unknown) => void;
  readonly isAlone: boolean;
  /** Whether it changes no cached result. */
  readonly keepsCaches: boolean;
  readonly enteredMs: number;
}

interface GroupCommitDeps {
  /** Resolves once the work is committed; nothing is stored when it rejects. `enteredMs` is when the first caller began to wait. */
  transact<T>(
    work: (trx: Transaction<Tables>) => Promise<T>,
    group: { readonly enteredMs: number | undefined; readonly keepsCaches: boolean; readonly isSingle: boolean },
  ): Promise<T>;
  /** The clock of `enteredMs`. */
  now(): number;
}

/** `write` and `writeAlone` of the database. */
interface GroupCommit {
  write<T>(transaction: (trx: Transaction<Tables>) => Promise<T>, keepsCaches: boolean): Promise<T>;
  writeAlone<T>(transaction: (trx: Transaction<Tables>) => Promise<T>, keepsCaches: boolean): Promise<T>;
}

// The first write of a group waits for the last, and so do other processes.
const GROUP_MAX = 100;

/** Runs all writes of one turn of the event loop one after the other in one transaction. They resolve after its commit. */
export function createSqliteGroupCommit({ transact, now }: GroupCommitDeps): GroupCommit {
  const waiting: Job[] = [];
  let isFlushing = false;

  const flush = async () => {
    while (waiting.length > 0) {
      await setImmediate();
      const jobs = takeGroup(waiting);
      try {
        const group = {
          enteredMs: jobs[0]?.enteredMs,
          keepsCaches: jobs.every(({ keepsCaches }) => keepsCaches),
          isSingle: jobs.length === 1,
        };
        for (const answer of await transact((trx) => runAll(jobs, trx), group)) answer();
      } catch (error) {
        const isFinal = jobs.length === 1 || isStorageBusy(error) || error instanceof OutcomeUnknown;
        if (isFinal) for (const { fail } of jobs) fail(error);
        // Nothing of the group is stored. Trying each alone finds the one that fails.
        else waiting.unshift(...jobs.map((job) => ({ ...job, isAlone: true })));
      }
    }
    isFlushing = false;
  };

  const enter = <T>(
    work: (trx: Transaction<Tables>) => Promise<T>,
    how: Pick<Job, 'isAlone' | 'keepsCaches'>,
  ): Promise<T> =>
    new Promise((resolve, fail) => {
      const run: Job['run'] = async (trx) => {
        const value = await work(trx);
        return () => resolve(value);
      };
      waiting.push({ run, fail, ...how, enteredMs: now() });
      if (isFlushing) return;
      isFlushing = true;
      void flush();
    });

  return {
    write: (transaction, keepsCaches) => enter(transaction, { isAlone: false, keepsCaches }),
    writeAlone: (transaction, keepsCaches) => enter(transaction, { isAlone: true, keepsCaches }),
  };
}

/** Takes the oldest jobs, up to one that must run alone. */
function takeGroup(waiting: Job[]): readonly Job[] {
  const alone = waiting.slice(0, GROUP_MAX).findIndex(({ isAlone }) => isAlone);
  return waiting.splice(0, alone < 0 ? GROUP_MAX : Math.max(alone, 1));
}

async function runAll(jobs: readonly Job[], trx: Transaction<Tables>): Promise<readonly (() => void)[]> {
  const pause = createPauses();
  const answers: (() => void)[] = [];
  for (const { run } of jobs) {
    await pause();
    answers.push(await run(trx));
  }
  return answers;
}

const isStorageBusy = (error: unknown): boolean =>
  error instanceof StorageUnavailable && sqliteStateOf(error.cause) === 'passing';
