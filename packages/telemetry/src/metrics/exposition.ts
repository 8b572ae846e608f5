/** One sample of a metric; `metricName` where that is another name, such as of a bucket. */
export interface MetricSample {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** A metric with its samples. */
export interface MetricSamples {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly values: readonly MetricSample[];
}

/** A metric in the Prometheus exposition format. */
export interface MetricText {
  readonly name: string;
  readonly head: string;
  /** One for each sample. */
  readonly lines: readonly string[];
}

/** What answers a scrape. */
export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Writes metrics, each sample with further labels. */
export const writeMetrics = (
  metrics: readonly MetricSamples[],
  labels: MetricSample['labels'] = {},
): readonly MetricText[] =>
  metrics.map(({ name, help, type, values }) => ({
    name,
    head: `# HELP ${name} ${escapeText(help)}\n# TYPE ${name} ${type}`,
    lines: values.map((sample) => lineOf({ metricName: name, ...sample, labels: { ...sample.labels, ...labels } })),
  }));

/** Joins the metrics of several processes; the format has each name once. */
export function expose(processes: readonly (readonly MetricText[])[]): Exposition {
  const byName = new Map<string, string[]>();
  for (const { name, head, lines } of processes.flat()) {
    const written = byName.get(name) ?? [head];
    byName.set(name, written);
    written.push(...lines);
  }
  return { contentType: CONTENT_TYPE, text: [...byName.values()].map((lines) => `${lines.join('\n')}\n`).join('\n') };
}

function lineOf({ metricName, labels, value }: MetricSample): string {
  const pairs = Object.entries(labels).map(([name, text]) => `${name}="${escapeLabel(String(text))}"`);
  return `${metricName}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${numberText(value)}`;
}

const escapeText = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapeLabel = (text: string) => escapeText(text).replaceAll('"', '\\"');

function numberText(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}
