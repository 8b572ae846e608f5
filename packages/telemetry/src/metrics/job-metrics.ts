import { Histogram, type Registry } from 'prom-client';

const JOB_KINDS = [
  'check',
  'report',
  'load',
  'round',
  'delivery',
  'auditStream',
  'auditRetention',
  'mail',
  'erasure',
] as const;
const JOB_OUTCOMES = ['success', 'error', 'retry', 'lost', 'stopped'] as const;

/** Work that a worker does for others. */
export type JobKind = (typeof JOB_KINDS)[number];

/** How a job ended: `error` for good, `retry` to be tried again, `lost` to another worker, `stopped` with the process. */
export type JobOutcome = (typeof JOB_OUTCOMES)[number];

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
  const worked = new Histogram({
    name: 'access_admin_job_duration_seconds',
    help: 'The work on checks, reports, loads, rounds of the register, deliveries to webhooks, streams and archives of audit logs, mails, and erasures of persons.',
    labelNames: ['kind', 'outcome'],
    buckets: WORK_BOUNDS_SECONDS,
    registers: [registry],
  });
  const waited = new Histogram({
    name: 'access_admin_job_wait_seconds',
    help: 'How long checks, reports, loads, rounds of the register, deliveries to webhooks, streams of audit logs, mails and erasures of persons waited until they were begun.',
    labelNames: ['kind'],
    buckets: WAIT_BOUNDS_SECONDS,
    registers: [registry],
  });
  // A series that starts at its first error shows no increase, so an alert on the rate would miss it.
  for (const kind of JOB_KINDS) {
    for (const outcome of JOB_OUTCOMES) worked.zero({ kind, outcome });
    waited.zero({ kind });
  }
  return ({ kind, outcome, waitedMs, workedMs }) => {
    worked.observe({ kind, outcome }, workedMs / 1000);
    if (waitedMs !== null) waited.observe({ kind }, waitedMs / 1000);
  };
}
