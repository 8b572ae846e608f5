import type { ProcessMetrics } from '../metrics/process-metrics.ts';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** The beginning of a span. */
export interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'consumer';
  /** The span that it belongs under, as W3C Trace Context writes it; what is not such a text counts as none. */
  readonly parent?: string | undefined;
  /** The span that has caused it, in another trace. */
  readonly link?: string | null;
  /** Milliseconds since 1970; now if left out. */
  readonly startedMs?: number;
}

/** A piece of work in a trace. */
export interface Span {
  /** As W3C Trace Context writes it, for those who are called. */
  readonly traceparent: string;
  /** False for one that is not sampled: what it ends with is not sent. */
  readonly isRecording: boolean;
  end(outcome: SpanEnd): void;
}

export interface SpanEnd {
  /** Another name than at the beginning. */
  readonly name?: string;
  readonly attributes: SpanAttributes;
  readonly isError: boolean;
}

/** Sends spans, and the metrics of the process, by OTLP. */
export interface Tracing extends AsyncDisposable {
  start(span: SpanStart): Span;
}

export interface TracingDeps {
  /** The name of the service, unless `OTEL_SERVICE_NAME` says another. */
  readonly service: string;
  readonly metrics: Pick<ProcessMetrics, 'read'>;
  readonly log: { warn(fields: object, message: string): void };
  /** Milliseconds since 1970. */
  now(): number;
}
