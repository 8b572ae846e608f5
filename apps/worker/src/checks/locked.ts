import type { CheckQueue } from '@access-admin/store';
import type { UnstoredResult } from './results.ts';

/** Results of tenants whose events another transaction is numbering. They are kept in memory, with their leases renewed. */
export interface LockedResults {
  readonly count: number;
  /** Keeps results for their next attempt. The checks of those that take too much memory are given back. */
  keep(results: readonly UnstoredResult[]): Promise<void>;
  isDue(nowMs: number): boolean;
  /** Takes all results if their next attempt is due. */
  takeDue(nowMs: number): readonly UnstoredResult[];
  /** Gives back all checks. */
  giveBack(): Promise<void>;
}

interface LockedDeps {
  readonly queue: Pick<CheckQueue, 'renew' | 'giveBack'>;
  readonly leaseMs: number;
  /** Milliseconds since 1970. */
  now(): number;
}

/** After this time they are tried again. */
export const LOCKED_RETRY_MS = 25;
/** The most characters of the results that are kept. One is kept whatever its length. */
const LOCKED_LENGTH_MAX = 32 * 2 ** 20;

export function createLockedResults({ queue, leaseMs, now }: LockedDeps): LockedResults {
  let kept: readonly UnstoredResult[] = [];
  let sinceMs = 0;
  const isDue = (nowMs: number) => kept.length > 0 && Math.abs(nowMs - sinceMs) >= LOCKED_RETRY_MS;
  const take = () => {
    const taken = kept;
    kept = [];
    return taken;
  };
  const giveBack = async (results: readonly UnstoredResult[]) => {
    if (results.length > 0) await queue.giveBack(results.map(({ check }) => check.claim));
  };
  /** Returns the results whose claims are still the latest. */
  const renew = async (results: readonly UnstoredResult[]) => {
    const ending = results.filter(({ check }) => Math.abs(now() - check.leasedMs) >= leaseMs / 4);
    if (ending.length === 0) return results;
    const renewedMs = now();
    const claims = ending.map(({ check }) => check.claim);
    const renewed = new Set(await queue.renew(claims, renewedMs + leaseMs));
    const lost = new Set(ending.filter(({ check }) => !renewed.has(check.claim)));
    await giveBack([...lost]);
    for (const { check } of ending) check.leasedMs = renewedMs;
    return results.filter((result) => !lost.has(result));
  };
  return {
    get count() {
      return kept.length;
    },
    keep: async (results) => {
      const held = await renew(results);
      if (kept.length === 0) sinceMs = now();
      const all = [...kept, ...held];
      const end = endOfRoom(all);
      kept = all.slice(0, end);
      await giveBack(all.slice(end));
    },
    isDue,
    takeDue: (nowMs) => (isDue(nowMs) ? take() : []),
    giveBack: () => giveBack(take()),
  };
}

/** How many of the results have room. */
function endOfRoom(results: readonly UnstoredResult[]): number {
  let total = 0;
  const end = results.findIndex(({ length }, place) => {
    total += length;
    return place > 0 && total > LOCKED_LENGTH_MAX;
  });
  return end < 0 ? results.length : end;
}
