import { expect, test } from 'vitest';
import { parseTelemetryConfig } from './parse.ts';

const parse = (env: Record<string, string>) => {
  const faults: string[] = [];
  return { config: parseTelemetryConfig(env, faults), faults };
};
const OFF = { processName: null, metricsPort: null, metricsToken: null, decisionLog: null, otlp: null };
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

test('without variables a process tells nothing more', () => {
  expect(parse({})).toEqual({ config: OFF, faults: [] });
  expect(parse({ METRICS_PORT: '', METRICS_TOKEN: '', DECISION_LOG: '' })).toEqual({ config: OFF, faults: [] });
});

test('the port and the token of the metrics are taken', () => {
  const token = 'a-token-of-24-characters';
  const { config, faults } = parse({ METRICS_PORT: '9464', METRICS_TOKEN: token, PORT: '8080' });
  expect([config, faults]).toEqual([{ ...OFF, metricsPort: 9464, metricsToken: token }, []]);
});

test('the name of the process is taken', () => {
  expect(parse({ PROCESS_NAME: 'api-2' })).toEqual({ config: { ...OFF, processName: 'api-2' }, faults: [] });
});

test.each<[Record<string, string>, string]>([
  [{ PROCESS_NAME: 'API 2' }, 'PROCESS_NAME must be'],
  [{ METRICS_PORT: '0' }, 'METRICS_PORT must be a port'],
  [{ METRICS_PORT: '65536' }, 'METRICS_PORT must be a port'],
  [{ METRICS_PORT: '8080', PORT: '8080' }, 'METRICS_PORT must be another port than PORT'],
  [{ METRICS_PORT: '08080', PORT: '8080' }, 'METRICS_PORT must be another port than PORT'],
  [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must be'],
  [{ DECISION_LOG: 'syslog' }, 'DECISION_LOG must be stdout or file:<path>'],
  [{ DECISION_LOG: 'file:' }, 'DECISION_LOG must be stdout or file:<path>'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be'],
  [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json'],
  [{ OTEL_TRACES_SAMPLER: 'sometimes' }, 'OTEL_TRACES_SAMPLER must be'],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG must be'],
  [{ OTEL_METRIC_EXPORT_INTERVAL: '5' }, 'OTEL_METRIC_EXPORT_INTERVAL must be'],
  [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER must be otlp or none'],
])('%j is refused', (env, fault) => {
  const { faults } = parse(env);
  expect(faults[0]).toContain(fault);
});

test('a fault of the traces or the metrics is told once, with the variable that has it', () => {
  const sent = { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
  const address = 'must be an http or https address, such as http://localhost:4318.';
  const protocol = 'must be http/json, which collectors accept at their port 4318.';
  expect(parse(sent).faults).toEqual([
    `OTEL_EXPORTER_OTLP_ENDPOINT ${address}`,
    `OTEL_EXPORTER_OTLP_PROTOCOL ${protocol}`,
  ]);
  const ofMetrics = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'x', OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'grpc' };
  expect(parse({ ...ENDPOINT, ...ofMetrics }).faults).toEqual([
    `OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ${address}`,
    `OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ${protocol}`,
  ]);
});

test.each<[string, object]>([
  ['stdout', { kind: 'stdout' }],
  ['file:/var/log/decisions.jsonl', { kind: 'file', path: '/var/log/decisions.jsonl' }],
  ['file:decisions: of today', { kind: 'file', path: 'decisions: of today' }],
])('decisions go to %s', (text, target) => {
  expect(parse({ DECISION_LOG: text })).toEqual({ config: { ...OFF, decisionLog: target }, faults: [] });
});

test.each<[Record<string, string>, object | null]>([
  [ENDPOINT, { traces: { isParentBased: true, ratio: 1 }, metrics: { everyMs: 60_000 } }],
  [
    { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none', OTEL_METRIC_EXPORT_INTERVAL: '500' },
    { traces: null, metrics: { everyMs: 500 } },
  ],
  [
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/v1/traces', OTEL_TRACES_SAMPLER: 'always_off' },
    { traces: { isParentBased: false, ratio: 0 }, metrics: null },
  ],
  [
    { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
    { traces: { isParentBased: true, ratio: 0.1 }, metrics: { everyMs: 60_000 } },
  ],
  [{ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }, null],
  [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }, null],
])('%j sends what it says', (env, otlp) => {
  expect(parse(env)).toEqual({ config: { ...OFF, otlp }, faults: [] });
});
