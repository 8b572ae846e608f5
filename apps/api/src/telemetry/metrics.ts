import type { CheckQueue, RegisterMaintenance, ReportStore } from '@access-admin/store';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ConnectionEvent } from '../server/guard-connections.ts';
import { createRequestDurations } from './request-durations.ts';
import { createSemaphoreMetrics, type SemaphoreMetrics } from './semaphore-metrics.ts';

export interface ObservedRequest {
  readonly operationId: string | null;
  readonly status: number;
  readonly durationMs: number;
}

/** The metrics of this process. */
export interface Metrics extends SemaphoreMetrics {
  observe(request: ObservedRequest): void;
  /** A body ended early: its sender left, or was too slow. */
  countAbortedUpload(): void;
  countConnection(event: ConnectionEvent): void;
  /** The text of the Prometheus exposition format. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** The counts that are read from the store at each scrape. */
export interface CountedStore {
  readonly checks: Pick<CheckQueue, 'countPending'>;
  readonly reports: Pick<ReportStore, 'countOpen'>;
  readonly register: Pick<RegisterMaintenance, 'countCorrected'>;
}

/** Opens the metrics of this process. */
export function createMetrics({ checks, reports, register }: CountedStore): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // The exact version tells an attacker which faults the runtime has.
  registry.removeSingleMetric('nodejs_version_info');
  const durations = createRequestDurations();
  new Gauge({
    name: 'access_admin_pending_checks',
    help: 'SOD checks that have no result yet, over all tenants.',
    registers: [registry],
    async collect() {
      this.set(await checks.countPending());
    },
  });
  new Gauge({
    name: 'access_admin_open_reports',
    help: 'SOD reports that are not done, over all tenants.',
    registers: [registry],
    async collect() {
      this.set(await reports.countOpen());
    },
  });
  new Gauge({
    name: 'access_admin_register_corrections',
    help: 'Violations that the last full comparison of each register had to correct, over all tenants.',
    registers: [registry],
    async collect() {
      this.set(await register.countCorrected());
    },
  });
  const registers = [registry];
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
  return {
    ...createSemaphoreMetrics(registry),
    countAbortedUpload: () => abortedUploads.inc(),
    countConnection: (event) => connections[event](),
    observe: ({ operationId, status, durationMs }) =>
      durations.observe(operationId ?? 'other', status, durationMs / 1000),
    render: async () => ({
      contentType: registry.contentType,
      text: `${await registry.metrics()}\n${durations.render()}`,
    }),
  };
}
