import { ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricSample, MetricSamples } from '../metrics/exposition.ts';
import type { ProcessMetrics } from '../metrics/process-metrics.ts';
import type { TracingDeps } from './span.ts';

interface ProducerDeps extends Pick<TracingDeps, 'now'> {
  readonly resource: Resource;
  readonly scope: string;
}

/** The metrics of a process as OpenTelemetry has them: the same ones that `/metrics` serves. */
export const createMetricProducer = (
  metrics: Pick<ProcessMetrics, 'read'>,
  { resource, scope, now }: ProducerDeps,
): MetricProducer => ({
  collect: async () => {
    const data = (await metrics.read()).flatMap((samples) => toMetricData(samples, now()) ?? []);
    return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: scope }, metrics: data }] }, errors: [] };
  },
});

/** Null for a summary, whose quantiles cannot be added up. */
function toMetricData(samples: MetricSamples, nowMs: number): MetricData | null {
  const { name, help: description, type, values } = samples;
  const times = {
    startTime: millisToHrTime(performance.timeOrigin),
    endTime: millisToHrTime(nowMs),
  };
  const common = {
    descriptor: { name, description, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const dataPoints = values.map(({ labels, value }) => ({ ...times, attributes: { ...labels }, value }));
  if (type === 'gauge') return { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
  if (type === 'counter') return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
  if (type !== 'histogram') return null;
  const histograms = [...Map.groupBy(values, seriesOf).values()];
  return {
    ...common,
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints: histograms.map((series) => {
      const { le: _, ...attributes } = series[0]?.labels ?? {};
      return { ...times, attributes, value: histogramOf(name, series) };
    }),
  };
}

/** The labels of a sample without the bound of its bucket. */
const seriesOf = ({ labels: { le: _, ...labels } }: MetricSample): string => JSON.stringify(labels);

/** Buckets count what is above the bound before; those of Prometheus, everything up to their own. */
function histogramOf(name: string, series: readonly MetricSample[]) {
  const sampleOf = (suffix: string) => series.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0;
  const buckets = series.filter(({ metricName }) => metricName === `${name}_bucket`);
  return {
    buckets: {
      boundaries: buckets.slice(0, -1).map(({ labels }) => Number(labels['le'])),
      counts: buckets.map(({ value }, at) => value - (buckets[at - 1]?.value ?? 0)),
    },
    sum: sampleOf('sum'),
    count: sampleOf('count'),
  };
}
