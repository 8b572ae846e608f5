import type { SodCheck } from '@access-admin/domain';
import { BROKEN_POLICY } from './company.ts';

/** What the clients know of their checks: which were acknowledged, and the result of each as it was first seen. */
export interface CheckLedger {
  readonly acknowledged: ReadonlyMap<string, string>;
  /** How many of them have a result that somebody has seen. */
  readonly done: number;
  /** What was wrong with the answers, a sentence for each check at fault. */
  readonly faults: readonly string[];
  /** How many of those that were acknowledged were not found. */
  readonly missing: number;
  /** How many had a result and then another. */
  readonly changed: number;
  /** Notes a 202 for the check whose client metadata has this mark. */
  acknowledge(requestId: string, mark: string): void;
  /** Compares an answer with what was sent and with earlier answers; null stands for a 404. Whether the check is done. */
  observe(requestId: string, check: SodCheck | null): boolean;
  /** Acknowledged checks that nobody has seen a result of. */
  open(): readonly string[];
}

export function createCheckLedger(): CheckLedger {
  const marks = new Map<string, string>();
  const results = new Map<string, string>();
  const faults = new Map<string, string>();
  const missing = new Set<string>();
  const changed = new Set<string>();

  const observe = (requestId: string, check: SodCheck | null): boolean => {
    const before = results.get(requestId);
    const isDone = check !== null && check.state !== 'PENDING';
    if (check === null) {
      missing.add(requestId);
      faults.set(requestId, `the acknowledged check ${requestId} is missing`);
    }
    const now = JSON.stringify(check);
    if (before === undefined && isDone) {
      results.set(requestId, now);
      if (!isExpected(check, marks.get(requestId))) faults.set(requestId, `a wrong result: ${now}`);
    } else if (before !== undefined && check !== null && before !== now) {
      changed.add(requestId);
      faults.set(requestId, `a result changed: ${difference(before, now)}`);
    }
    return isDone;
  };

  return {
    acknowledged: marks,
    get done() {
      return results.size;
    },
    get faults() {
      return [...faults.values()];
    },
    get missing() {
      return missing.size;
    },
    get changed() {
      return changed.size;
    },
    acknowledge: (requestId, mark) => {
      if (marks.has(requestId)) faults.set(requestId, `two checks were acknowledged as ${requestId}`);
      marks.set(requestId, mark);
    },
    observe,
    open: () => [...marks.keys()].filter((requestId) => !results.has(requestId)),
  };
}

function isExpected({ state, violationCheckResult: result }: SodCheck, mark: string | undefined): boolean {
  const broken = result?.violatedPolicies.map(({ id }) => id).join();
  return state === 'SUCCESS' && broken === BROKEN_POLICY && result?.clientMetadata?.['mark'] === mark;
}

/** Where two texts part. */
function difference(before: string, now: string): string {
  let at = 0;
  while (at < before.length && before[at] === now[at]) at++;
  const from = Math.max(0, at - 40);
  return `${now.slice(0, 60)}…: …${before.slice(from, at + 40)}… became …${now.slice(from, at + 40)}…`;
}
