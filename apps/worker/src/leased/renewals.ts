import { TenantRemoved } from '@access-admin/store';
import { type Backoff, type BackoffDeps, createBackoff } from './backoff.ts';

/** Work whose leases are renewed. */
export interface RenewedWork<Job> {
  /** How long a claim holds, in milliseconds, and how much of it passes until it is renewed. */
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  tenantOf(job: Job): string;
  /** Extends the leases of jobs of one tenant. Returns those that are still held. */
  renew(jobs: readonly Job[], leaseEndMs: number): Promise<readonly Job[]>;
}

/** A claimed job until it has ended. */
export interface UnderwayJob<Job> {
  readonly job: Job;
  readonly ending: AbortController;
  renewedMs: number;
  isBeingRenewed: boolean;
  ended: Promise<void>;
}

interface RenewalDeps<Job> extends BackoffDeps {
  underway(): ReadonlySet<UnderwayJob<Job>>;
  /** Reports a failure of the storage, and waits. */
  afterFailure(backoff: Backoff, err: unknown, signal: AbortSignal): Promise<void>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** The renewals of leases of one kind of work, apart from its claims. */
interface Renewals {
  /** Begins the renewals that are due, and waits for them for a moment. */
  renewFirst(signal: AbortSignal): Promise<unknown>;
  /** Renews leases until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** A clock that has jumped is noticed after this time at most. */
const LOOK_EVERY_MS = 1_000;
/** Claims wait this long for renewals at most. */
const RENEWED_FIRST_MS = 250;
// Without a reason, each abort makes an error with its stack.
const WOKEN = 'woken';

/** Each tenant has renewals of its own: one that waits for the storage ends no lease of another. */
export function createRenewals<Job>(kind: RenewedWork<Job>, deps: RenewalDeps<Job>): Renewals {
  const { now, underway, afterFailure } = deps;
  let renewed: Promise<unknown> = Promise.resolve();

  const toRenew = () =>
    [...underway()].filter(({ isBeingRenewed, ending }) => !isBeingRenewed && !ending.signal.aborted);
  const untilRenewalMs = ({ renewedMs }: UnderwayJob<Job>) => kind.renewEveryMs - Math.abs(now() - renewedMs);
  const renew = async (due: readonly UnderwayJob<Job>[]) => {
    const nowMs = now();
    const jobs = due.map(({ job }) => job);
    const kept = await kind.renew(jobs, nowMs + kind.leaseMs).catch((err) => {
      if (err instanceof TenantRemoved) return [];
      throw err;
    });
    const held = new Set(kept);
    for (const each of due)
      if (held.has(each.job)) each.renewedMs = nowMs;
      else each.ending.abort('lost');
  };
  /** Renews the leases of jobs of one tenant; while the storage fails, again and again. */
  const renewOfTenant = async (due: readonly UnderwayJob<Job>[], signal: AbortSignal) => {
    const backoff = createBackoff(deps);
    for (const each of due) each.isBeingRenewed = true;
    for (let left = due; left.length > 0 && !signal.aborted; left = left.filter((each) => underway().has(each)))
      try {
        await renew(left);
        break;
      } catch (err) {
        await afterFailure(backoff, err, signal);
      }
    for (const each of due) each.isBeingRenewed = false;
  };
  /** Renews the leases that are due. The clock may jump either way. */
  const renewDue = (signal: AbortSignal) => {
    const due = toRenew().filter((each) => untilRenewalMs(each) <= 0);
    if (due.length === 0) return;
    const byTenant = Map.groupBy(due, ({ job }) => kind.tenantOf(job));
    const renewals = Promise.all(Array.from(byTenant.values(), (some) => renewOfTenant(some, signal)));
    const waiting = new AbortController();
    renewed = Promise.race([renewals, deps.wait(RENEWED_FIRST_MS, waiting.signal)]).then(() => waiting.abort(WOKEN));
  };

  return {
    renewFirst: (signal) => {
      renewDue(signal);
      return renewed;
    },
    run: async (signal) => {
      const lookEveryMs = Math.min(kind.renewEveryMs, LOOK_EVERY_MS);
      while (!signal.aborted) {
        renewDue(signal);
        await deps.wait(Math.min(lookEveryMs, ...toRenew().map(untilRenewalMs)), signal);
      }
    },
  };
}
