import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { NodeAway, OutcomeUnknown, StorageFull, StorageUnavailable } from '@access-admin/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createJobMetrics, createProcessMetrics, type MeasuredStore, serveMetrics } from '../src/index.ts';
import { emptyStore } from './empty-store.ts';

const NOW_MS = Date.parse('2026-11-21T09:30:00.000Z');
const TOKEN = 'a-token-of-24-characters';
const open = (store: MeasuredStore = emptyStore(), lostCount = () => 0) =>
  createProcessMetrics({ store, stdout: { lostCount }, now: () => NOW_MS });
const linesOf = async ({ render }: Pick<ReturnType<typeof open>, 'render'>) => (await render()).text.split('\n');

describe('the metrics of a process', () => {
  test('tell how much waits in each queue, and for how long', async () => {
    const checks = { measureBacklog: async () => ({ depth: 3, oldest: '2026-11-21T09:29:48.500Z' }) };
    const lines = await linesOf(open(emptyStore({ checks })));
    expect(lines).toContain('access_admin_queue_depth{queue="checks"} 3');
    expect(lines).toContain('access_admin_queue_oldest_age_seconds{queue="checks"} 11.5');
    expect(lines).toContain('access_admin_queue_depth{queue="webhooks"} 0');
    expect(lines).toContain('access_admin_queue_oldest_age_seconds{queue="register"} 0');
    expect(lines).toContain('access_admin_storage_up 1');
    expect(lines).toContain('access_admin_disk_free_bytes 10');
  });

  test('keep what was last read while the storage is away', async () => {
    const state = { failure: new StorageUnavailable('away') as Error | null, bytes: 1 };
    const measureStorage = async () => {
      if (state.failure !== null) throw state.failure;
      return { databaseBytes: state.bytes, disk: null };
    };
    const metrics = open(emptyStore({ measureStorage }));
    const away = await linesOf(metrics);
    expect(away).toContain('access_admin_storage_up 0');
    expect(away.some((line) => line.startsWith('access_admin_database_size_bytes'))).toBe(false);
    expect(away.some((line) => line.startsWith('nodejs_heap_size_used_bytes'))).toBe(true);
    state.failure = null;
    const back = await linesOf(metrics);
    expect(back).toContain('access_admin_storage_up 1');
    expect(back).toContain('access_admin_database_size_bytes 1');
    expect(back.some((line) => line.startsWith('access_admin_disk_free_bytes'))).toBe(false);
    state.failure = new StorageUnavailable('away');
    const again = await linesOf(metrics);
    expect(again).toContain('access_admin_storage_up 0');
    expect(again).toContain('access_admin_database_size_bytes 1');
    expect(again).toContain('access_admin_queue_depth{queue="checks"} 0');
  });

  test('tell a node that is away from a storage that is', async () => {
    let failure: Error = new NodeAway('away');
    const checks = { measureBacklog: () => Promise.reject(failure) };
    const metrics = open(emptyStore({ checks }));
    expect(await linesOf(metrics)).toEqual(
      expect.arrayContaining(['access_admin_storage_up 0', 'access_admin_storage_node_away 1']),
    );
    failure = new StorageUnavailable('away');
    expect(await linesOf(metrics)).toContain('access_admin_storage_node_away 0');
    expect(await linesOf(open())).toContain('access_admin_storage_node_away 0');
  });

  test('count what the storage refuses, by reason', async () => {
    const metrics = open();
    for (const error of [
      new StorageFull('f'),
      new StorageFull('f'),
      new OutcomeUnknown('o'),
      new StorageUnavailable('u'),
    ])
      metrics.countStorageFailure(error);
    const lines = await linesOf(metrics);
    expect(lines).toContain('access_admin_storage_failures_total{reason="full"} 2');
    expect(lines).toContain('access_admin_storage_failures_total{reason="outcome_unknown"} 1');
    expect(lines).toContain('access_admin_storage_failures_total{reason="unavailable"} 1');
  });

  test('count the lines that standard output has lost', async () => {
    let lost = 0;
    const metrics = open(emptyStore(), () => lost);
    expect(await linesOf(metrics)).toContain('access_admin_log_lines_lost_total 0');
    lost = 12;
    expect(await linesOf(metrics)).toContain('access_admin_log_lines_lost_total 12');
  });

  test('count jobs by kind and outcome', async () => {
    const metrics = open();
    const observe = createJobMetrics(metrics.registry);
    const job = {
      kind: 'check',
      tenant: 't',
      ids: {},
      startedMs: 0,
      waitedMs: 1_500,
      workedMs: 30,
      attempt: 1,
      traceparent: null,
    } as const;
    observe({ ...job, outcome: 'success' });
    observe({ ...job, outcome: 'retry', waitedMs: null });
    const lines = await linesOf(metrics);
    expect(lines).toContain('access_admin_job_duration_seconds_count{kind="check",outcome="success"} 1');
    expect(lines).toContain('access_admin_job_duration_seconds_bucket{le="0.025",kind="check",outcome="retry"} 0');
    expect(lines).toContain('access_admin_job_wait_seconds_sum{kind="check"} 1.5');
    expect(lines).toContain('access_admin_job_wait_seconds_count{kind="delivery"} 0');
  });

  // A series that begins at 1 has no increase: the alert would miss the first error.
  test('have each outcome of each kind of job at 0 from the start', async () => {
    const metrics = open();
    createJobMetrics(metrics.registry);
    const lines = await linesOf(metrics);
    for (const kind of ['check', 'report', 'round', 'delivery', 'auditStream', 'mail', 'erasure'])
      for (const outcome of ['success', 'error', 'retry', 'lost', 'stopped'])
        expect(lines).toContain(`access_admin_job_duration_seconds_count{kind="${kind}",outcome="${outcome}"} 0`);
  });

  // Prometheus gives these to what it scrapes, and calls those of a metric `exported_job` and `exported_instance`.
  test('have no label that Prometheus gives itself', async () => {
    const metrics = open();
    createJobMetrics(metrics.registry);
    expect((await linesOf(metrics)).filter((line) => /[{,](job|instance|__\w+)="/.test(line))).toEqual([]);
  });
});

async function serve(metricsToken: string | null = null) {
  const served = await serveMetrics({ host: '127.0.0.1', metricsPort: 0, metricsToken }, open());
  if (!served.ok || served.value === null) throw new Error('nothing listens');
  const { value } = served;
  onTestFinished(() => value[Symbol.asyncDispose]());
  return value.port;
}

describe('the port of the metrics', () => {
  test('serves metrics and health, and nothing else', async () => {
    const base = `http://127.0.0.1:${await serve()}`;
    const metrics = await fetch(`${base}/metrics`);
    expect([metrics.status, metrics.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
    expect(await metrics.text()).toContain('access_admin_queue_depth');
    const health = await fetch(`${base}/healthz`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
    expect((await fetch(`${base}/`)).status).toBe(404);
  });

  test('requires the token for metrics, not for health', async () => {
    const base = `http://127.0.0.1:${await serve(TOKEN)}`;
    const statusOf = async (path: string, token?: string) =>
      (await fetch(base + path, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await statusOf('/healthz')).toBe(200);
    expect([await statusOf('/metrics'), await statusOf('/metrics', TOKEN)]).toEqual([401, 200]);
    expect(await statusOf('/metrics', `${TOKEN}x`)).toBe(401);
  });

  test('answers HTTP/1.0 without a Host header', async () => {
    const socket = createConnection(await serve(), '127.0.0.1');
    socket.write('GET /healthz HTTP/1.0\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\{"status":"ok"\}$/);
  });

  test('is told where it is taken, and nothing listens without one', async () => {
    const metricsPort = await serve();
    const options = { host: '127.0.0.1', metricsToken: null };
    expect(await serveMetrics({ ...options, metricsPort }, open())).toEqual({
      ok: false,
      failure: `Cannot listen on METRICS_PORT, 127.0.0.1:${metricsPort}: EADDRINUSE.`,
    });
    expect(await serveMetrics({ ...options, metricsPort: null }, open())).toEqual({ ok: true, value: null });
  });
});
