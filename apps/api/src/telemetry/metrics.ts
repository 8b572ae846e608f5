import {
  createProcessMetrics,
  expose,
  type ProcessMetrics,
  type ProcessMetricsDeps,
  writeMetrics,
} from '@access-admin/telemetry';
import { Counter, Gauge } from 'prom-client';
import type { ConnectionEvent } from '../server/guard-connections.ts';
import { createRequestDurations } from './request-durations.ts';
import { createSemaphoreMetrics, type SemaphoreMetrics } from './semaphore-metrics.ts';

export interface ObservedRequest {
  readonly operationId: string | null;
  readonly status: number;
  readonly durationMs: number;
}

/** Why an attempt to sign in failed: a proof was wrong, or the decision refused the identity. */
export type SignInFailure = 'proof' | 'decision';

/** The metrics of this process. */
export interface Metrics extends SemaphoreMetrics, ProcessMetrics {
  observe(request: ObservedRequest): void;
  /** A body ended early: its sender left, or was too slow. */
  countAbortedUpload(): void;
  countConnection(event: ConnectionEvent): void;
  countFailedSignIn(reason: SignInFailure): void;
  /** Returns a function that counts an unanswered sign-in of one of these applications, each of which begins at 0. */
  countUnansweredSignIns(applications: readonly Identified[]): (application: Identified) => void;
}

interface Identified {
  readonly id: string;
}

/** Opens the metrics of this process. */
export function createMetrics(deps: ProcessMetricsDeps): Metrics {
  const process = createProcessMetrics(deps);
  const { registry } = process;
  const registers = [registry];
  const durations = createRequestDurations();
  const count = (name: string, help: string) => new Counter({ name: `access_admin_${name}_total`, help, registers });
  const abortedUploads = count(
    'aborted_uploads',
    'Requests whose body ended early, by the sender or for its slowness.',
  );
  const refused = count('refused_connections', 'Connections refused because the process had as many as it holds.');
  const cut = count(
    'cut_connections',
    'Connections closed by the service because the client read nothing of a response, or was idle, for too long.',
  );
  const open = new Gauge({ name: 'access_admin_open_connections', help: 'Connections that are open.', registers });
  const connections: Readonly<Record<ConnectionEvent, () => void>> = {
    opened: () => open.inc(),
    closed: () => open.dec(),
    refused: () => refused.inc(),
    cut: () => cut.inc(),
  };
  const failedSignIns = new Counter({
    name: 'access_admin_failed_sign_ins_total',
    help: 'Attempts to sign in that failed: a proof was wrong, or the decision refused the identity.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of ['proof', 'decision'] satisfies SignInFailure[]) failedSignIns.inc({ reason }, 0);
  const unansweredSignIns = new Counter({
    name: 'access_admin_unanswered_sign_ins_total',
    help: 'Attempts to sign in that a directory or an OpenID provider has not answered, by application.',
    labelNames: ['application'],
    registers,
  });
  const failedRequests = new Counter({
    name: 'access_admin_failed_requests_total',
    help: 'Requests that were answered with 5xx, by status.',
    labelNames: ['status'],
    registers,
  });
  for (const status of [500, 503]) failedRequests.inc({ status }, 0);
  const read = async () => [...(await process.read()), durations.read()];
  return {
    ...process,
    render: async () => expose([writeMetrics(await read())]),
    read,
    ...createSemaphoreMetrics(registry),
    countAbortedUpload: () => abortedUploads.inc(),
    countConnection: (event) => connections[event](),
    countFailedSignIn: (reason) => failedSignIns.inc({ reason }),
    countUnansweredSignIns: (applications) => {
      for (const { id } of applications) unansweredSignIns.inc({ application: id }, 0);
      return ({ id }) => unansweredSignIns.inc({ application: id });
    },
    observe: ({ operationId, status, durationMs }) => {
      durations.observe(operationId ?? 'other', status, durationMs / 1000);
      if (status >= 500) failedRequests.inc({ status });
    },
  };
}
