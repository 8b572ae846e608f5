import { type ArisingWork, type Commit, SOME_COMMIT } from '../commits.ts';
import { startStopwatch } from '../concurrency/stopwatch.ts';
import { unlessAway, unlessBlocked } from './errors.ts';

/** The tenants in which something is committed, by any process, as far as this one learns of it. A look at all of them asks every node. */
export interface ChangedTenants {
  /** Calls back with each tenant in which work may have arisen. */
  subscribe(listener: (tenant: string, work: ArisingWork) => void): void;
  /** Wakes all that wait for commits. */
  wake(): void;
  /** A clock in milliseconds. */
  now(): number;
  /** Null where a node is away that the work asks: work of its tenants waits, and that of others goes on. */
  unlessAway<T>(work: Promise<T>): Promise<T | null>;
  /** Null where a node is away that the work asks, or where another transaction has locked what the work changes. */
  unlessBlocked<T>(work: Promise<T>): Promise<T | null>;
}

interface CommitSignal {
  subscribe(listener: (commit: Commit) => void): void;
  notify(commit: Commit): void;
}

export const createChangedTenants = (commits: CommitSignal): ChangedTenants => ({
  subscribe: (listener) =>
    commits.subscribe(({ tenant, arising }) => {
      if (tenant !== null && arising !== null) listener(tenant, arising);
    }),
  wake: () => commits.notify(SOME_COMMIT),
  now: startStopwatch(),
  unlessAway,
  unlessBlocked,
});
