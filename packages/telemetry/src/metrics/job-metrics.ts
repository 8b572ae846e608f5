import { Histogram, type Registry } from 'prom-client';

/** Work that a worker does for others. */
export type JobKind = 'check' | 'report' | 'round' | 'delivery';

/** How a job ended: `error` for good, `retry` to be tried again, `lost` to another worker, `stopped` with the process. */
export type JobOutcome = 'success' | 'error' | 'retry' | 'lost' | 'stopped';

/** A job that has ended. */
export interface EndedJob {
  readonly kind: JobKind;
  readonly tenant: string;
  /** What names it, such as `requestId`. */
  readonly ids: Readonly<Record<string, string | number>>;
  /** When it was begun, in milliseconds since 1970. */
  readonly startedMs: number;
  /** From when it could be done to when it was begun; null where the former is not known. */
  readonly waitedMs: number | null;
  /** The work on it, without the time of others in between. */
  readonly workedMs: number;
  /** 1 for the first. */
  readonly attempt: number;
  readonly outcome: JobOutcome;
  /** The span of the request that made it, as W3C Trace Context writes it; null without one. */
  readonly traceparent: string | null;
}

const WORK_BOUNDS_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 300];
const WAIT_BOUNDS_SECONDS = [0.025, 0.1, 0.5, 2.5, 10, 60, 300, 3600];

/** Counts the jobs of a worker, by kind and outcome. */
export function createJobMetrics(registry: Registry): (job: EndedJob) => void {
  const labelNames = ['job', 'outcome'] as const;
  const worked = new Histogram({
    name: 'access_admin_job_duration_seconds',
    help: 'The work on checks, reports, rounds of the register and deliveries to webhooks.',
    labelNames,
    buckets: WORK_BOUNDS_SECONDS,
    registers: [registry],
  });
  const waited = new Histogram({
    name: 'access_admin_job_wait_seconds',
    help: 'How long checks, reports, rounds of the register and deliveries to webhooks waited until they were begun.',
    labelNames: ['job'],
    buckets: WAIT_BOUNDS_SECONDS,
    registers: [registry],
  });
  for (const job of ['check', 'report', 'round', 'delivery'] satisfies JobKind[]) {
    worked.zero({ job, outcome: 'success' });
    waited.zero({ job });
  }
  return ({ kind: job, outcome, waitedMs, workedMs }) => {
    worked.observe({ job, outcome }, workedMs / 1000);
    if (waitedMs !== null) waited.observe({ job }, waitedMs / 1000);
  };
}
