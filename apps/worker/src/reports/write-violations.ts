import { type ReportLine, SOD_REPORT_CHANGES, type SodReportCounts, type SodReportTotals } from '@access-admin/domain';
import type { CountedViolations, ReportViolation } from '@access-admin/store';

/** Collects the violations of a report until they are stored, and counts them. */
export interface ViolationWriter {
  add(policy: number, line: ReportLine): void;
  /** Whether to `flush` before more are added. */
  isFull(): boolean;
  flush(): Promise<void>;
  /** By the number of the policy, of all that were added. */
  readonly counts: ReadonlyMap<number, CountedViolations>;
  totals(): SodReportTotals;
}

// Of one transaction, so that other writers do not wait long.
const LINES_AT_ONCE = 2_000;

type Counts = ReturnType<typeof noCounts>;

const noneChanged = (): { -readonly [Change in keyof SodReportCounts]: number } => ({ new: 0, same: 0, gone: 0 });
const noCounts = () => ({ ...noneChanged(), excepted: noneChanged() });

export function createViolationWriter(
  save: (violations: readonly ReportViolation[]) => Promise<void>,
): ViolationWriter {
  const byPolicy = new Map<number, Counts>();
  let waiting: ReportViolation[] = [];
  return {
    add: (policy, line) => {
      const counts = byPolicy.get(policy) ?? noCounts();
      byPolicy.set(policy, counts);
      counts[line.change] += 1;
      if (line.exception !== null) counts.excepted[line.change] += 1;
      waiting.push({ number: policy, ...line });
    },
    isFull: () => waiting.length >= LINES_AT_ONCE,
    flush: async () => {
      const all = waiting;
      waiting = [];
      for (let from = 0; from < all.length; from += LINES_AT_ONCE) await save(all.slice(from, from + LINES_AT_ONCE));
    },
    counts: byPolicy,
    totals: () => {
      const sum = { ...noneChanged(), excepted: 0 };
      for (const counts of byPolicy.values()) {
        for (const change of SOD_REPORT_CHANGES) {
          sum[change] += counts[change];
          sum.excepted += counts.excepted[change];
        }
      }
      return sum;
    },
  };
}
