import type { SodCheck } from '@access-admin/domain';
import { BROKEN_POLICY } from './company.ts';

export type CheckLedger = ReturnType<typeof createCheckLedger>;

/** The checks of the clients: which were acknowledged, and the first result that was read for each. */
export function createCheckLedger() {
  const marks = new Map<string, string>();
  const results = new Map<string, string>();
  const faults = new Map<string, string>();
  const missing = new Set<string>();
  const changed = new Set<string>();

  /** Compares an answer with what was sent and with earlier answers; null stands for a 404. Whether the check is done. */
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
    /** The mark of each acknowledged check, by its id. */
    acknowledged: marks as ReadonlyMap<string, string>,
    /** One sentence for each check with a wrong answer. */
    get faults(): readonly string[] {
      return [...faults.values()];
    },
    /** Acknowledged checks that were not found. */
    missing: missing as ReadonlySet<string>,
    /** Checks that had a result and then another. */
    changed: changed as ReadonlySet<string>,
    /** Records a 202 for the check with this mark in its client metadata. */
    acknowledge: (requestId: string, mark: string) => {
      if (marks.has(requestId)) faults.set(requestId, `two checks were acknowledged as ${requestId}`);
      marks.set(requestId, mark);
    },
    observe,
    /** Acknowledged checks without a known result. */
    open: (): readonly string[] => [...marks.keys()].filter((requestId) => !results.has(requestId)),
  };
}

function isExpected({ state, violationCheckResult: result }: SodCheck, mark: string | undefined): boolean {
  const broken = result?.violatedPolicies.map(({ id }) => id).join();
  return state === 'SUCCESS' && broken === BROKEN_POLICY && result?.clientMetadata?.['mark'] === mark;
}

/** The place of the first difference between two texts. */
function difference(before: string, now: string): string {
  let at = 0;
  while (at < before.length && before[at] === now[at]) at++;
  const from = Math.max(0, at - 40);
  return `${now.slice(0, 60)}…: …${before.slice(from, at + 40)}… became …${now.slice(from, at + 40)}…`;
}
