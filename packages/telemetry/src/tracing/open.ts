import type { TelemetryConfig } from '../configuration/parse.ts';
import type { Tracing, TracingDeps } from './span.ts';

/** Opens what is sent by OTLP; null where nothing is. The SDK of OpenTelemetry is loaded only where something is. */
export async function openTracing({ otlp }: Pick<TelemetryConfig, 'otlp'>, deps: TracingDeps): Promise<Tracing | null> {
  if (otlp === null) return null;
  const { openOtlp } = await import('./otlp.ts');
  return openOtlp(otlp, deps);
}
