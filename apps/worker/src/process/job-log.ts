import type { EndedJob } from '@access-admin/telemetry';
import type { Logger } from 'pino';

/** Jobs that take at least this long are logged at `info`. */
const INFO_MS = 100;

/** Writes one line for each job: at `info` where it took long or did not succeed, else at `debug`. */
export const createJobLog =
  (log: Pick<Logger, 'debug' | 'info'>) =>
  ({ kind, tenant, ids, waitedMs, workedMs, attempt, outcome }: EndedJob): void => {
    const isTold = workedMs >= INFO_MS || outcome === 'error' || outcome === 'retry';
    const times = { waitedMs: rounded(waitedMs), workedMs: rounded(workedMs) };
    log[isTold ? 'info' : 'debug']({ tenant, ...ids, ...times, attempt, outcome }, kind);
  };

const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms * 1000) / 1000);
