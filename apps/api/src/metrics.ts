import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

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
  const durations = new Histogram({
    name: 'access_admin_request_duration_seconds',
    help: 'Duration of HTTP requests, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
    registers: [registry],
  });
  // Finding the series by its labels costs more than the observation.
  const seriesByKey = new Map<string, ReturnType<typeof durations.labels>>();
  new Gauge({
    name: 'access_admin_pending_checks',
    help: 'SOD checks that have no result yet, over all tenants.',
    registers: [registry],
    async collect() {
      this.set(await countPendingChecks());
    },
  });
  return {
    observe: ({ operationId, status, durationMs }) => {
      const operation = operationId ?? 'other';
      const key = `${operation} ${status}`;
      const series = seriesByKey.get(key) ?? durations.labels({ operation, status });
      seriesByKey.set(key, series);
      series.observe(durationMs / 1000);
    },
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
