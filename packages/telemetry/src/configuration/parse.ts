/** Where decisions are logged. */
export type DecisionTarget = { readonly kind: 'stdout' } | { readonly kind: 'file'; readonly path: string };

/** How much is traced, in the words of OpenTelemetry. */
export interface Sampling {
  readonly isParentBased: boolean;
  /** From 0, nothing, to 1, everything. */
  readonly ratio: number;
}

/** What is sent by OTLP. The exporters themselves read the variables that begin with `OTEL_EXPORTER_OTLP_`. */
export interface OtlpConfig {
  /** Null where no traces are sent. */
  readonly traces: Sampling | null;
  /** Null where no metrics are sent. */
  readonly metrics: { readonly everyMs: number } | null;
}

/** What a process tells those who run it. */
export interface TelemetryConfig {
  /** The name of the process among others of its kind; null where it has none. */
  readonly processName: string | null;
  /** Where `/metrics` and `/healthz` are served apart; null where they are not. */
  readonly metricsPort: number | null;
  /** The token that `GET /metrics` requires; null if it requires none. */
  readonly metricsToken: string | null;
  /** Null where decisions are not logged. */
  readonly decisionLog: DecisionTarget | null;
  /** Null where nothing is sent. */
  readonly otlp: OtlpConfig | null;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The characters that RFC 6750 allows in a token. */
const TOKEN = /^(?=.{16,256}$)[A-Za-z0-9._~+/-]+=*$/;
const FILE = /^file:(.+)$/;
const NAME = /^[a-z0-9-]{1,64}$/;

/** Reads the variables of metrics, decisions and traces; adds a sentence to `faults` for each that is wrong. */
export function parseTelemetryConfig(env: Env, faults: string[]): TelemetryConfig {
  const processName = env['PROCESS_NAME'] || null;
  if (processName !== null && !NAME.test(processName)) faults.push('PROCESS_NAME must be 1 to 64 of a-z, 0-9 and -.');
  const port = env['METRICS_PORT'] ?? '';
  if (port !== '' && !isPort(port)) faults.push('METRICS_PORT must be a port from 1 to 65535.');
  else if (port !== '' && Number(port) === Number(env['PORT']))
    faults.push('METRICS_PORT must be another port than PORT.');
  const token = env['METRICS_TOKEN'] ?? '';
  if (token !== '' && !TOKEN.test(token))
    faults.push(
      'METRICS_TOKEN must be 16 to 256 of letters, digits and - . _ ~ + /, with = at the end only; for example from openssl rand -hex 32.',
    );
  const decisions = env['DECISION_LOG'] ?? '';
  const decisionLog = parseTarget(decisions);
  if (decisions !== '' && decisionLog === null) faults.push('DECISION_LOG must be stdout or file:<path>.');
  return {
    processName,
    metricsPort: port === '' ? null : Number(port),
    metricsToken: token || null,
    decisionLog,
    otlp: parseOtlp(env, faults),
  };
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;

function parseTarget(text: string): DecisionTarget | null {
  if (text === 'stdout') return { kind: 'stdout' };
  const path = FILE.exec(text)?.[1];
  return path === undefined ? null : { kind: 'file', path };
}

const METRICS_EVERY_MS_DEFAULT = '60000';

function parseOtlp(env: Env, faults: string[]): OtlpConfig | null {
  const everyMs = env['OTEL_METRIC_EXPORT_INTERVAL'] || METRICS_EVERY_MS_DEFAULT;
  if (!/^[1-9]\d{2,8}$/.test(everyMs))
    faults.push('OTEL_METRIC_EXPORT_INTERVAL must be a whole number of milliseconds from 100 on.');
  const sampling = parseSampling(env, faults);
  // Without a variable of its own, a signal has that of both.
  const nameOf = (signal: 'TRACES' | 'METRICS', what: 'ENDPOINT' | 'PROTOCOL'): string => {
    const own = `OTEL_EXPORTER_OTLP_${signal}_${what}`;
    return env[own] ? own : `OTEL_EXPORTER_OTLP_${what}`;
  };
  const addFault = (fault: string) => {
    if (!faults.includes(fault)) faults.push(fault);
  };
  const isSent = (signal: 'TRACES' | 'METRICS'): boolean => {
    const endpoint = nameOf(signal, 'ENDPOINT');
    const protocol = nameOf(signal, 'PROTOCOL');
    const exporter = env[`OTEL_${signal}_EXPORTER`] || 'otlp';
    const address = env[endpoint] || '';
    if (address === '' || exporter === 'none') return false;
    if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
      addFault(`${endpoint} must be an http or https address, such as http://localhost:4318.`);
    if (exporter !== 'otlp') addFault(`OTEL_${signal}_EXPORTER must be otlp or none.`);
    if ((env[protocol] || 'http/json') !== 'http/json')
      addFault(`${protocol} must be http/json, which collectors accept at their port 4318.`);
    return true;
  };
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return null;
  const traces = isSent('TRACES') ? sampling : null;
  const metrics = isSent('METRICS') ? { everyMs: Number(everyMs) } : null;
  return traces === null && metrics === null ? null : { traces, metrics };
}

const SAMPLER = /^(parentbased_)?(always_on|always_off|traceidratio)$/;

function parseSampling(env: Env, faults: string[]): Sampling {
  const [, parent, sampler] = SAMPLER.exec(env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on') ?? [];
  if (sampler === undefined)
    faults.push('OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, each also after parentbased_.');
  const ratio = Number(env['OTEL_TRACES_SAMPLER_ARG'] || '1');
  if (!(ratio >= 0 && ratio <= 1)) faults.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.');
  const ratios = { always_on: 1, always_off: 0, traceidratio: ratio };
  return {
    isParentBased: parent !== undefined,
    ratio: sampler === 'always_off' || sampler === 'traceidratio' ? ratios[sampler] : 1,
  };
}
