import type { ErasureClaim, ErasureStep, ErasureStore } from '@access-admin/store';
import type { JobOutcome } from '@access-admin/telemetry';
import { createLeasedJob, type LeasedJobDeps } from '../leased/job.ts';
import type { LeasedWork } from '../leased/loop.ts';

export interface ErasureWorkDeps extends LeasedJobDeps {
  readonly erasures: ErasureStore;
}

/** Erases persons, one at a time: an erasure reads whole logs. */
export const createErasureWork = ({ erasures, ...deps }: ErasureWorkDeps): LeasedWork<ErasureClaim> =>
  createLeasedJob(
    {
      kind: 'erasure',
      leases: erasures,
      atOnceMax: () => 1,
      idsOf: ({ pseudonym }) => ({ pseudonym }),
      sinceOf: ({ requestedMs }) => new Date(requestedMs).toISOString(),
      run: async (claim, { pause }) => OUTCOMES[await erasures.erase(claim, { nowMs: deps.now(), pause })],
    },
    deps,
  );

const OUTCOMES: Readonly<Record<ErasureStep, JobOutcome>> = { done: 'success', later: 'success', lost: 'lost' };
