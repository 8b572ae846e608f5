import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createClient } from '@access-admin/client';
import { freePort, openTestService, ROOT, type RunningApi } from '@access-admin/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PARENT_ID = 'b7ad6b7169203331';
const TRACEPARENT = `00-${TRACE_ID}-${PARENT_ID}-01`;

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

const ALERTS = join(ROOT, 'deploy/observability/alerts.yaml');
const service = await openTestService();
const receiver = await openReceiver();
const metricsPorts = { api: await freePort(), worker: await freePort() };
const decisionLog = join(service.folder, 'decisions.jsonl');
const hooks: (string | undefined)[] = [];
let api: RunningApi;

/** Takes OTLP over HTTP in JSON, and webhooks. */
async function openReceiver() {
  const spans: OtlpSpan[] = [];
  const services = new Set<string>();
  const metrics = new Map<string, unknown>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.url === '/hook') hooks.push(request.headers['traceparent']?.toString());
    const sent = request.url === '/hook' ? {} : JSON.parse(body);
    for (const { resource, scopeSpans } of sent.resourceSpans ?? []) {
      for (const { key, value } of resource.attributes) if (key === 'service.name') services.add(value.stringValue);
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    for (const { scopeMetrics } of sent.resourceMetrics ?? [])
      for (const scope of scopeMetrics) for (const metric of scope.metrics) metrics.set(metric.name, metric);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { origin: `http://127.0.0.1:${port}`, spans, services, metrics, close: () => server.close() };
}

const ENV = {
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.origin,
  OTEL_METRIC_EXPORT_INTERVAL: '500',
  OTEL_BSP_SCHEDULE_DELAY: '100',
  DECISION_LOG: `file:${decisionLog}`,
  SECRET_KEY: 'a-key-that-tests-give-to-their-services',
  WEBHOOK_TARGETS: receiver.origin,
  LOG_LEVEL: 'debug',
};

beforeAll(async () => {
  const directory = { id: 'corporate', name: 'Directory', kind: 'ldap', tenants: ['default'] };
  const applications = [
    { ...directory, url: 'ldaps://directory.example.com', bindDn: 'uid={username},dc=example,dc=com' },
  ];
  writeFileSync(join(service.folder, 'applications.json'), JSON.stringify(applications), { mode: 0o600 });
  api = await service.startApi({
    ...ENV,
    METRICS_PORT: String(metricsPorts.api),
    SIGN_IN_APPLICATIONS: join(service.folder, 'applications.json'),
  });
  service.startWorker({ ...ENV, METRICS_PORT: String(metricsPorts.worker) });
  const sample = readFileSync(join(ROOT, 'tooling/sample/sample.ndjson'), 'utf8').trimEnd().split('\n');
  await api.client.accessModel.import(sample.map((line) => JSON.parse(line)));
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  receiver.close();
});

const attributesOf = ({ attributes }: OtlpSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
const spanOf = (matches: (span: OtlpSpan) => boolean) => expect.poll(() => receiver.spans.find(matches));

const QUESTION = JSON.parse(readFileSync(join(ROOT, 'tooling/sample/demo-request.json'), 'utf8'));

describe('a request that comes with a trace', () => {
  let requestId = '';
  let trackingId = '';

  beforeAll(async () => {
    await api.client.webhooks.create({ name: 'w', url: `${receiver.origin}/hook`, types: ['sod.check.*'] });
    const { baseAddress } = api;
    const traced = createClient({
      baseAddress,
      ...service.credentials,
      // As a propagator of OpenTelemetry does it, see docs/operations/observability.md.
      fetch: (url, init) => {
        const headers = new Headers(init.headers);
        headers.set('traceparent', TRACEPARENT);
        return fetch(url, { ...init, headers });
      },
    });
    ({ requestId } = await traced.sodViolations.check(QUESTION));
    await traced.sodViolations.waitForCheck(requestId);
  });

  test('has a span in it, with what happened', async () => {
    await spanOf(({ name }) => name === 'start-violation-check-v1').toBeDefined();
    const span = receiver.spans.find(({ name }) => name === 'start-violation-check-v1');
    expect(span).toMatchObject({ traceId: TRACE_ID, parentSpanId: PARENT_ID, kind: 2 });
    if (span === undefined) return;
    const attributes = attributesOf(span);
    trackingId = String(attributes['access_admin.tracking_id']);
    expect(attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.response.status_code': 202,
      'access_admin.tenant': 'default',
    });
    expect(trackingId).toMatch(/^[0-9a-f]{32}$/);
  });

  test('is linked by the span of the check that it has made', async () => {
    await spanOf(({ name }) => name === 'check').toBeDefined();
    const check = receiver.spans.find(({ name }) => name === 'check');
    const request = receiver.spans.find(({ name }) => name === 'start-violation-check-v1');
    expect(check?.links).toMatchObject([{ traceId: TRACE_ID, spanId: request?.spanId }]);
    expect(check && attributesOf(check)).toMatchObject({
      'access_admin.request_id': requestId,
      'access_admin.outcome': 'success',
      'access_admin.attempt': 1,
    });
    expect([...receiver.services].toSorted()).toEqual(['access-admin-api', 'access-admin-worker']);
  });

  test('a delivery to a webhook takes its trace along', async () => {
    await expect.poll(() => hooks.length).toBeGreaterThan(0);
    await spanOf(({ name }) => name === 'deliver event').toBeDefined();
    const [, traceId, spanId] = hooks[0]?.split('-') ?? [];
    await spanOf((span) => span.spanId === spanId).toMatchObject({ name: 'deliver event', traceId, kind: 3 });
  });

  test('the worker logs the decision of the check, with the request that made it', async () => {
    const lines = () =>
      readFileSync(decisionLog, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    await expect.poll(() => lines().filter(({ decision }) => decision === 'check')).toHaveLength(1);
    const { violatedPolicies, policySetVersion, ...check } = lines().find(({ decision }) => decision === 'check');
    expect(check).toMatchObject({
      tenant: 'default',
      clientId: service.credentials.clientId,
      identityId: QUESTION.identityId,
      accessRefs: QUESTION.accessRefs,
      requestSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      asOf: expect.any(String),
      trackingId,
      requestId,
    });
    expect(violatedPolicies.length).toBeGreaterThan(0);
    await api.client.sodViolations.predict(QUESTION);
    await expect.poll(() => lines().filter(({ decision }) => decision === 'prediction')).toHaveLength(1);
    const prediction = lines().find(({ decision }) => decision === 'prediction');
    expect(prediction).toMatchObject({ violatedPolicies, policySetVersion, requestSha256: check.requestSha256 });
  });
});

test('the metrics that are scraped are sent, too', async () => {
  const name = 'access_admin_request_duration_seconds';
  await expect.poll(() => receiver.metrics.get(name)).toMatchObject({ name, histogram: { aggregationTemporality: 2 } });
  expect(receiver.metrics.get('access_admin_queue_depth')).toMatchObject({ gauge: { dataPoints: expect.any(Array) } });
  await expect.poll(() => receiver.metrics.get('access_admin_job_duration_seconds')).toBeDefined();
});

async function exposition(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.status).toBe(200);
  return await answer.text();
}

/** The metrics that a process serves: name and type. */
async function served(port: number): Promise<ReadonlyMap<string, string>> {
  const types = (await exposition(port)).matchAll(/^# TYPE (\w+) (\w+)$/gm);
  return new Map(Array.from(types, ([, name = '', type = '']) => [name, type]));
}

const ours = (names: Iterable<string>) => [...names].filter((name) => name.startsWith('access_admin_')).toSorted();

test('metrics are on their own port, of the API and of the worker', async () => {
  expect((await fetch(`${api.baseAddress}/metrics`)).status).toBe(404);
  for (const port of Object.values(metricsPorts))
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  const common = ['access_admin_queue_depth', 'access_admin_storage_up', 'nodejs_heap_size_used_bytes'];
  expect([...(await served(metricsPorts.api)).keys()]).toEqual(expect.arrayContaining(common));
  expect([...(await served(metricsPorts.worker)).keys()]).toEqual(
    expect.arrayContaining([...common, 'access_admin_job_duration_seconds']),
  );
});

const readText = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The names of metrics in an expression, without the suffixes of histograms. */
const namesIn = (expression: string): readonly string[] =>
  Array.from(expression.matchAll(/\b(?:access_admin|nodejs|process)_\w+/g), ([name]) =>
    name.replace(/_seconds_(bucket|sum|count)$/, '_seconds'),
  );

test('every metric of the page is served as it says, and every metric that is served is on the page', async () => {
  const rows = [
    ...readText('docs/operations/observability.md').matchAll(/^\| `(access_admin_\w+)` \| (\w+) \| (\w+) \|/gm),
  ];
  const told = (processes: readonly string[]) =>
    new Map(
      rows.flatMap(([, name = '', type = '', of = '']) => (processes.includes(of) ? [[name, type] as const] : [])),
    );
  const ofApi = await served(metricsPorts.api);
  const ofWorker = await served(metricsPorts.worker);
  const only = (all: ReadonlyMap<string, string>) => new Map(ours(all.keys()).map((name) => [name, all.get(name)]));
  expect(only(ofApi)).toEqual(told(['API', 'both']));
  expect(only(ofWorker)).toEqual(told(['worker', 'both']));
  expect(rows.map(([, name]) => name)).toEqual(rows.map(([, name]) => name).toSorted());
});

/** What the command of a backup writes for node_exporter. */
function ofBackup(): string {
  const file = join(service.folder, 'backup.prom');
  const options = { cwd: service.folder, env: { ...process.env, DATABASE_URL: 'sqlite:copied.db' } };
  const command = join(ROOT, 'apps/server/bin/access-admin.mjs');
  execFileSync(process.execPath, [command, 'migrate'], options);
  execFileSync(process.execPath, [command, 'backup', '--to', 'copy.db', '--metrics', file], options);
  return readFileSync(file, 'utf8');
}

test('the dashboard and the alert rules name metrics that exist', async () => {
  const known = new Set([
    ...(await served(metricsPorts.api)).keys(),
    ...(await served(metricsPorts.worker)).keys(),
    ...ofBackup()
      .matchAll(/^# TYPE (\w+) gauge$/gm)
      .map(([, name = '']) => name),
  ]);
  const dashboard: { readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[] } =
    JSON.parse(readText('deploy/observability/dashboard.json'));
  const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const { groups } = parse(readText('deploy/observability/alerts.yaml'));
  const rules: readonly Record<string, unknown>[] = groups.flatMap(({ rules: some }: { rules: object[] }) => some);
  for (const rule of rules)
    expect(rule).toMatchObject({
      alert: expect.stringMatching(/^AccessAdmin\w+$/),
      expr: expect.any(String),
      labels: { severity: expect.stringMatching(/^(warning|critical)$/) },
      annotations: { summary: expect.stringMatching(/\.$/), description: expect.any(String) },
    });
  const expressions = [...shown, ...rules.map(({ expr }) => String(expr))];
  expect([shown.length > 15, rules.length > 8]).toEqual([true, true]);
  // That a process answers is a metric of Prometheus itself.
  const without = expressions.filter((expr) => namesIn(expr).length === 0 && !expr.startsWith('up{'));
  expect(without).toEqual([]);
  expect(expressions.flatMap(namesIn).filter((name) => !known.has(name))).toEqual([]);
});

test('the runbook has a section for each alert, and for no other', () => {
  const alerts = Array.from(readFileSync(ALERTS, 'utf8').matchAll(/- alert: (\w+)/g), ([, name]) => name);
  const sections = readFileSync(join(ROOT, 'docs/operations/runbook.md'), 'utf8').matchAll(/^## (\w+)$/gm);
  expect(Array.from(sections, ([, name]) => name)).toEqual(alerts);
  const links = readFileSync(ALERTS, 'utf8').matchAll(/runbook_url: docs\/operations\/runbook\.md#(\w+)/g);
  expect(Array.from(links, ([, name]) => name)).toEqual(alerts.map((name) => name?.toLowerCase()));
});

const whyNoPromtool = spawnSync('promtool', ['--version']).error === undefined ? null : 'no promtool is on the PATH';
if (whyNoPromtool !== null)
  process.stderr.write(`observability.test.ts: alert rules are not evaluated, ${whyNoPromtool} (Debian: prometheus)\n`);

/** What `promtool` prints; throws with it where it finds a fault. */
const promtool = (...args: readonly string[]) => execFileSync('promtool', args, { encoding: 'utf8' });

interface Series {
  readonly series: string;
  readonly value: string;
}

/** What a process serves, as Prometheus keeps it: with its own `job` and `instance`, which take the place of others. */
function scraped(text: string, instance: string): readonly Series[] {
  const own = `job="access-admin",instance="${instance}"`;
  const lines = text.matchAll(/^(\w+)(?:\{(.*)\})? ([\d.e+-]+)$/gm);
  return Array.from(lines, ([, name = '', labels = '', value = '']) => {
    const others = labels.replace(/\b(job|instance)="/g, 'exported_$1="');
    return { series: `${name}{${own}${others === '' ? '' : `,${others}`}}`, value };
  });
}

describe.runIf(whyNoPromtool === null)('the alert rules', () => {
  let series: readonly Series[] = [];

  beforeAll(async () => {
    const up = ['api', 'worker'].map((name) => ({ series: `up{job="access-admin",instance="${name}"}`, value: '1' }));
    const all = await Promise.all(
      Object.entries(metricsPorts).map(async ([name, port]) => scraped(await exposition(port), name)),
    );
    series = [...up, ...all.flat()];
  });

  interface Grown {
    readonly series: RegExp;
    readonly values: string;
  }

  /** The time of the last backup, null for none, and when the alerts are compared. */
  interface FiringOptions {
    readonly backup?: string | null;
    readonly at?: string;
  }

  /** Runs what is served for half an hour, in which some series grow as promtool writes it; compares the alerts that fire. */
  function firing(
    grows: readonly Grown[],
    expected: readonly object[],
    { backup = '0x30', at = '12m' }: FiringOptions = {},
  ) {
    for (const { series: grown } of grows) expect(series.filter((some) => grown.test(some.series))).toHaveLength(1);
    const path = join(service.folder, 'alerts-test.json');
    const ofNode = { series: 'access_admin_backup_time_seconds{job="node",instance="db-1:9100"}', values: backup };
    const ofProcesses = series.map((some) => ({
      series: some.series,
      values: grows.find((grown) => grown.series.test(some.series))?.values ?? `${some.value}x30`,
    }));
    const test = {
      interval: '1m',
      input_series: backup === null ? ofProcesses : [ofNode, ...ofProcesses],
      promql_expr_test: [{ expr: 'ALERTS{alertstate="firing"}', eval_time: at, exp_samples: expected }],
    };
    writeFileSync(path, JSON.stringify({ rule_files: [ALERTS], evaluation_interval: '1m', tests: [test] }));
    promtool('test', 'rules', path);
  }

  const jobsOf = (kind: string, outcome: string, values: string): Grown => ({
    series: new RegExp(`_job_duration_seconds_count\\{.*kind="${kind}",outcome="${outcome}"\\}$`),
    values,
  });

  const alert = (name: string, severity: string, labels = '') => ({
    labels: `ALERTS{alertname="${name}",alertstate="firing",severity="${severity}"${labels}}`,
    value: 1,
  });

  test('are understood by promtool', () => {
    expect(promtool('check', 'rules', ALERTS)).toContain('SUCCESS');
  });

  test('are silent while nothing happens', () => firing([], []));

  test.each([
    [
      'access_admin_job_duration_seconds_count',
      'kind="report",outcome="error"',
      'AccessAdminJobsFail',
      'warning',
      ',kind="report"',
    ],
    ['access_admin_storage_failures_total', 'reason="full"', 'AccessAdminStorageFull', 'critical', null],
    ['access_admin_decisions_lost_total', '', 'AccessAdminDecisionsLost', 'critical', null],
    ['access_admin_log_lines_lost_total', '', 'AccessAdminLogLinesLost', 'warning', null],
  ] as const)('see the first of %s {%s}', (name, labels, alertName, severity, shown) => {
    const rest = labels === '' ? '' : `,${labels}`;
    const own = ',instance="worker",job="access-admin"';
    // Of those that keep the labels of the series, the alert has them too.
    const kept = shown ?? `${own}${rest}`;
    const grown = {
      series: new RegExp(`^${name}\\{job="access-admin",instance="worker"${rest}\\}$`),
      values: '0x9 1x20',
    };
    firing([grown], [alert(alertName, severity, kept)]);
  });

  test('see that requests fail, in a status that has not occurred before', () =>
    firing(
      [{ series: /^access_admin_failed_requests_total\{.*status="500"\}$/, values: '0x3 1+1x26' }],
      [alert('AccessAdminErrors', 'critical')],
    ));

  test('see that the audit events of one tenant are not taken, beside others that are', () =>
    firing(
      [jobsOf('auditStream', 'retry', '0x3 12+12x26'), jobsOf('auditStream', 'success', '0+60x30')],
      [alert('AccessAdminAuditStreamStuck', 'warning')],
      { at: '20m' },
    ));

  test('let a short outage of the audit stream pass', () =>
    firing([jobsOf('auditStream', 'retry', '0x3 2x26')], [], { at: '8m' }));

  test('see that the audit events of one tenant are not archived, beside others that are', () =>
    firing(
      [jobsOf('auditRetention', 'retry', '0x3 1x10 2x16'), jobsOf('auditRetention', 'success', '0+1x30')],
      [alert('AccessAdminAuditArchiveStuck', 'warning')],
    ));

  test('see that mails are not taken', () =>
    firing([jobsOf('mail', 'retry', '0x3 1+1x26')], [alert('AccessAdminMailStuck', 'warning')]));

  test('see that sign-ins fail', () =>
    firing(
      [{ series: /^access_admin_failed_sign_ins_total\{.*reason="proof"\}$/, values: '0x3 100+100x26' }],
      [alert('AccessAdminFailedSignIns', 'warning')],
    ));

  test('see that a directory does not answer', () =>
    firing(
      [{ series: /^access_admin_unanswered_sign_ins_total\{.*application="corporate"\}$/, values: '0x9 1x20' }],
      [alert('AccessAdminDirectoryFails', 'warning', ',application="corporate"')],
    ));

  test('see that a node of the database is away, and tell it from the database', () => {
    const away = { series: /^access_admin_storage_up\{.*instance="worker"\}$/, values: '1x3 0x26' };
    const nodeAway = { series: /^access_admin_storage_node_away\{.*instance="worker"\}$/, values: '0x3 1x26' };
    firing([away, nodeAway], [alert('AccessAdminNodeAway', 'critical')]);
    firing([away], [alert('AccessAdminStorageAway', 'critical', ',instance="worker",job="access-admin"')]);
  });

  test('see that the last backup is old, or that none is known', () => {
    const old = [alert('AccessAdminBackupOld', 'warning')];
    firing([], old, { backup: null, at: '20m' });
    firing([], old, { backup: `${-26 * 3600}x30`, at: '20m' });
    firing([], [], { backup: `${-25 * 3600}x30`, at: '20m' });
  });
});

test('a collector that never answers keeps no process from ending', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await using other = await openTestService();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_METRIC_EXPORT_INTERVAL: '500' };
  const running = await other.startApi(env);
  const worker = other.startWorker(env);
  await running.client.authOrg.lockout.get();
  await expect.poll(worker.output).toContain('working');
  const endings = await Promise.all([running.stop(), worker.stop()]);
  // An API lets open connections end for four seconds, and then sends its spans for two at most.
  for (const { code, afterMs } of endings) expect([code, afterMs < 8_000]).toEqual([0, true]);
  silent.closeAllConnections();
  silent.close();
});
