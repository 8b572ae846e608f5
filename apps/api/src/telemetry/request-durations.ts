import type { MetricSample, MetricSamples } from '@access-admin/telemetry';

/** A histogram of request durations by operation and status. */
export interface RequestDurations {
  observe(operation: string, status: number, seconds: number): void;
  read(): MetricSamples;
}

const NAME = 'access_admin_request_duration_seconds';
const HELP = 'Duration of HTTP requests, by operation and status.';
const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30];

interface Series {
  /** By bucket: observations above the previous bound, up to this one; the last bucket has no upper bound. */
  readonly counts: Float64Array;
  sumSeconds: number;
}

/** Not prom-client's histogram, which builds a text of the labels at each observation to look up the series. */
export function createRequestDurations(): RequestDurations {
  const operations = new Map<string, Map<number, Series>>();
  const seriesOf = (operation: string, status: number): Series => {
    const byStatus = operations.get(operation) ?? new Map<number, Series>();
    if (byStatus.size === 0) operations.set(operation, byStatus);
    const series = byStatus.get(status) ?? { counts: new Float64Array(BOUNDS_SECONDS.length + 1), sumSeconds: 0 };
    byStatus.set(status, series);
    return series;
  };
  const read = (): MetricSamples => ({
    name: NAME,
    help: HELP,
    type: 'histogram',
    values: [...operations].flatMap(([operation, byStatus]) =>
      [...byStatus].flatMap(([status, series]) => samplesOf(series, { operation, status: String(status) })),
    ),
  });
  return {
    observe: (operation, status, seconds) => {
      const series = operations.get(operation)?.get(status) ?? seriesOf(operation, status);
      let bucket = 0;
      while (seconds > (BOUNDS_SECONDS[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
      series.sumSeconds += seconds;
    },
    read,
  };
}

function samplesOf({ counts, sumSeconds }: Series, labels: MetricSample['labels']): readonly MetricSample[] {
  let total = 0;
  const buckets = [...counts].map((count, bucket) => {
    total += count;
    const le = BOUNDS_SECONDS[bucket] ?? '+Inf';
    return { metricName: `${NAME}_bucket`, labels: { le, ...labels }, value: total };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sumSeconds },
    { metricName: `${NAME}_count`, labels, value: total },
  ];
}
