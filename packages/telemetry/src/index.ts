export {
  type DecisionTarget,
  type OtlpConfig,
  parseTelemetryConfig,
  type TelemetryConfig,
} from './configuration/parse.ts';
export { type Decision, type DecisionLog, openDecisionLog } from './decisions/log.ts';
export { endProcess } from './ending/end-process.ts';
export { refuse } from './ending/refuse.ts';
export type { Line } from './lines/sink.ts';
export { openStdout, openStdoutNonBlocking, type Stdout } from './lines/stdout.ts';
export { expose, type MetricSample, type MetricSamples, writeMetrics } from './metrics/exposition.ts';
export { createMetricsRelay, scrapeGroup } from './metrics/group.ts';
export { createJobMetrics, type EndedJob, type JobKind, type JobOutcome } from './metrics/job-metrics.ts';
export {
  createProcessMetrics,
  type MeasuredStore,
  type ProcessMetrics,
  type ProcessMetricsDeps,
} from './metrics/process-metrics.ts';
export { type MetricsServer, serveMetrics } from './metrics/serve.ts';
export { openTracing } from './tracing/open.ts';
export type { Span, Tracing } from './tracing/span.ts';
