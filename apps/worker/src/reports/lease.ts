import type { ClaimedReport, ReportProgress, ReportStore } from '@access-admin/store';

/** The lease of a report that is under way. */
export interface ReportLease {
  /** From 0 to 1. */
  progress: number;
  /** Null until the data was read. */
  basis: ReportProgress['basis'];
  /** Another worker has taken the report. */
  readonly isLost: boolean;
  /** Extends the lease with the progress when it is time; false when another worker has taken the report. */
  renew(isAtOnce?: boolean): Promise<boolean>;
  /** Whether this attempt counts if the process ends now; the next renewal stores it. */
  count(countsAsAttempt: boolean): void;
}

export interface LeaseDeps {
  readonly reports: Pick<ReportStore, 'renew'>;
  readonly leaseMs: number;
  /** Milliseconds since 1970. */
  now(): number;
}

const RENEW_EVERY_MS = 1_000;

export function createReportLease({ reports, now, leaseMs }: LeaseDeps, claim: ClaimedReport): ReportLease {
  let renewedMs = now();
  let [isLost, isRenewing, isCounted, isCountStored] = [false, false, true, true];
  const lease = {
    progress: 0,
    basis: null as ReportProgress['basis'],
    get isLost() {
      return isLost;
    },
    count: (countsAsAttempt: boolean) => {
      isCounted = countsAsAttempt;
    },
    renew: async (isAtOnce = false) => {
      // The clock may jump forwards or backwards.
      const isDue = Math.abs(now() - renewedMs) >= Math.min(leaseMs / 4, RENEW_EVERY_MS);
      // An attempt that counts again can wait for the next renewal.
      const isChange = !isCounted && isCountStored;
      if (isLost || !(isAtOnce || ((isDue || isChange) && !isRenewing))) return !isLost;
      isRenewing = true;
      renewedMs = now();
      const { progress, basis } = lease;
      const attempts = isCounted ? claim.attempts : claim.attempts - 1;
      isCountStored = isCounted;
      const renewal = reports.renew(claim, { progress, basis, leaseEndMs: renewedMs + leaseMs, attempts });
      isLost = !(await renewal.finally(() => {
        isRenewing = false;
      }));
      return !isLost;
    },
  };
  return lease;
}
