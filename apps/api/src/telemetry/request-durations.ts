/** A histogram of request durations by operation and status. */
export interface RequestDurations {
  observe(operation: string, status: number, seconds: number): void;
  /** In the Prometheus exposition format. */
  render(): string;
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
  return {
    observe: (operation, status, seconds) => {
      const series = operations.get(operation)?.get(status) ?? seriesOf(operation, status);
      let bucket = 0;
      while (seconds > (BOUNDS_SECONDS[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
      series.sumSeconds += seconds;
    },
    render: () => {
      const lines = [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`];
      for (const [operation, byStatus] of operations)
        for (const [status, series] of byStatus)
          lines.push(...linesOf(series, `operation="${operation}",status="${status}"`));
      return `${lines.join('\n')}\n`;
    },
  };
}

function linesOf({ counts, sumSeconds }: Series, labels: string): string[] {
  let total = 0;
  const buckets = [...counts].map((count, bucket) => {
    total += count;
    return `${NAME}_bucket{le="${BOUNDS_SECONDS[bucket] ?? '+Inf'}",${labels}} ${total}`;
  });
  return [...buckets, `${NAME}_sum{${labels}} ${sumSeconds}`, `${NAME}_count{${labels}} ${total}`];
}
