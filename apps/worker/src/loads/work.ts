import type { LoadClaim, LoadStore } from '@access-admin/store';
import { createLeasedJob, type LeasedJobDeps } from '../leased/job.ts';
import type { LeasedWork } from '../leased/loop.ts';

export interface LoadWorkDeps extends LeasedJobDeps {
  readonly loads: Pick<LoadStore, 'claim' | 'renew' | 'release' | 'advance' | 'fail'>;
}

// Their writes run one after the other anyway.
const LOADS_AT_ONCE_MAX = 2;

/** Applies loads of sources, several at the same time but one of each tenant. */
export function createLoadWork({ loads, ...deps }: LoadWorkDeps): LeasedWork<LoadClaim> {
  const timeNow = () => new Date(deps.now()).toISOString();
  return createLeasedJob(
    {
      kind: 'load',
      leases: loads,
      atOnceMax: () => LOADS_AT_ONCE_MAX,
      tenantMax: 1,
      idsOf: ({ loadId }) => ({ loadId }),
      sinceOf: ({ committed }) => committed,
      attemptOf: ({ attempts }) => attempts,
      run: async (claim, { pause }) => {
        for (;;) {
          await pause();
          const step = await loads.advance(claim, { now: timeNow(), pause });
          if (step !== 'more') return step === 'done' ? 'success' : 'lost';
        }
      },
      fail: (claim, message) => loads.fail(claim, { now: timeNow(), message }),
    },
    deps,
  );
}
