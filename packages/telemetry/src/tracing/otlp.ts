import { setTimeout as delay } from 'node:timers/promises';
import { ROOT_CONTEXT, type Span as SdkSpan, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { getNumberFromEnv, parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { OtlpConfig, Sampling } from '../configuration/parse.ts';
import { createMetricProducer } from './metric-producer.ts';
import type { Span, SpanStart, Tracing, TracingDeps } from './span.ts';

const SCOPE = 'access-admin';
/** A stopping process waits so long for what it has not sent yet. */
const STOP_MS_MAX = 2_000;
const EXPORT_MS_MAX = 30_000;
const TELL_EVERY_MS = 60_000;

/** Sends spans and metrics by OTLP over HTTP, as the standard variables say. */
export function openOtlp({ traces, metrics }: OtlpConfig, deps: TracingDeps): Tracing {
  tellFailures(deps);
  const resource = resourceOf(deps.service);
  const spans = new TracerProvider({
    resource,
    sampler: traces === null ? new AlwaysOffSampler() : samplerOf(traces),
    spanProcessors: traces === null ? [] : [openBatches()],
  });
  const meters = metrics === null ? null : openMeters(metrics.everyMs, resource, deps);
  const tracer = spans.getTracer(SCOPE);
  return {
    start: (span) => start(tracer, span),
    [Symbol.asyncDispose]: async () => {
      const sent = Promise.allSettled([spans.shutdown(), meters?.shutdown()]);
      await Promise.race([sent, delay(STOP_MS_MAX, undefined, { ref: false })]);
    },
  };
}

function resourceOf(service: string): Resource {
  const own = resourceFromAttributes({ 'service.name': service, 'service.instance.id': String(process.pid) });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** By the standard variables, or as the SDK does it. */
function openBatches(): BatchSpanProcessor {
  const scheduledDelayMillis = getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY');
  const maxQueueSize = getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE');
  const maxExportBatchSize = getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE');
  return new BatchSpanProcessor({
    exporter: new OTLPTraceExporter(),
    ...(scheduledDelayMillis === undefined ? {} : { scheduledDelayMillis }),
    ...(maxQueueSize === undefined ? {} : { maxQueueSize }),
    ...(maxExportBatchSize === undefined ? {} : { maxExportBatchSize }),
  });
}

function samplerOf({ isParentBased, ratio }: Sampling): Sampler {
  const root = ratio === 1 ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(ratio);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

function openMeters(everyMs: number, resource: Resource, { metrics, now }: TracingDeps): MeterProvider {
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: Math.min(EXPORT_MS_MAX, everyMs),
    metricProducers: [createMetricProducer(metrics, { resource, scope: SCOPE, now })],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

function start(tracer: Tracer, { name, kind, parent, link, startedMs }: SpanStart): Span {
  const parentContext = parent === undefined ? null : parseTraceParent(parent);
  const linkContext = link === null || link === undefined ? null : parseTraceParent(link);
  const options = {
    kind: KINDS[kind],
    ...(linkContext === null ? {} : { links: [{ context: linkContext }] }),
    ...(startedMs === undefined ? {} : { startTime: startedMs }),
  };
  const context =
    parentContext === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parentContext, isRemote: true });
  const span = tracer.startSpan(name, options, context);
  return {
    // Most requests make no further work, so that nobody asks for it.
    get traceparent() {
      return traceparentOf(span);
    },
    isRecording: span.isRecording(),
    end: (outcome) => {
      if (outcome.name !== undefined) span.updateName(outcome.name);
      span.setAttributes(outcome.attributes);
      if (outcome.isError) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function traceparentOf(span: SdkSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Tells at most once a minute that something could not be sent. */
function tellFailures({ log, now }: Pick<TracingDeps, 'log' | 'now'>): void {
  let toldMs = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((error) => {
    // The clock may jump either way.
    if (Math.abs(now() - toldMs) < TELL_EVERY_MS) return;
    toldMs = now();
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'telemetry cannot be sent');
  });
}
