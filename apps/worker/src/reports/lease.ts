import type { ClaimedReport, ReportProgress, ReportStore } from '@access-admin/store';

/** The lease of a report that is under way. */
export interface ReportLease {
  /** From 0 to 1. */
  progress: number;
  /** Null until the data was read. */
  basis: ReportProgress['basis'];
  /** Another worker has taken the report. */
  readonly isLost: boolean;
  /** Extends the lease and stores the progress; false when another worker has taken the report. */
  renew(): Promise<boolean>;
}

export interface LeaseDeps {
  readonly reports: Pick<ReportStore, 'renew'>;
  readonly leaseMs: number;
  /** Milliseconds since 1970. */
  now(): number;
}

export function createReportLease({ reports, now, leaseMs }: LeaseDeps, claim: ClaimedReport): ReportLease {
  let isLost = false;
  const lease: ReportLease = {
    progress: 0,
    basis: null,
    get isLost() {
      return isLost;
    },
    renew: async () => {
      if (isLost) return false;
      const { progress, basis } = lease;
      isLost = !(await reports.renew(claim, { progress, basis, leaseEndMs: now() + leaseMs }));
      return !isLost;
    },
  };
  return lease;
}
