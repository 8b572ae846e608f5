import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createRequestDurations } from './request-durations.ts';

export interface ObservedRequest {
  readonly operationId: string | null;
  readonly status: number;
  readonly durationMs: number;
}

/** What the service counts about itself. */
export interface Metrics {
  observe(request: ObservedRequest): void;
  /** The text of the Prometheus exposition format. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Opens the metrics of this process; `countPendingChecks` is asked at each reading. */
export function createMetrics(countPendingChecks: () => Promise<number>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = createRequestDurations();
  new Gauge({
    name: 'access_admin_pending_checks',
    help: 'SOD checks that have no result yet, over all tenants.',
    registers: [registry],
    async collect() {
      this.set(await countPendingChecks());
    },
  });
  return {
    observe: ({ operationId, status, durationMs }) =>
      durations.observe(operationId ?? 'other', status, durationMs / 1000),
    render: async () => ({
      contentType: registry.contentType,
      text: `${await registry.metrics()}\n${durations.render()}`,
    }),
  };
}
