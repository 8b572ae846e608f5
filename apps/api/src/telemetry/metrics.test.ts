import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

const EMPTY = { depth: 0, oldest: null };
const queue = { measureBacklog: async () => EMPTY, countCorrected: async () => 0 };

const open = () =>
  createMetrics({
    store: {
      checks: queue,
      reports: queue,
      register: queue,
      webhooks: queue,
      measureStorage: async () => ({ databaseBytes: 0, disk: null }),
    },
    stdout: { lostCount: () => 0 },
    now: () => 0,
  });

test('failed requests are counted by status, from 0 on', async () => {
  const metrics = open();
  const linesOf = async () => (await metrics.render()).text.split('\n');
  const before = await linesOf();
  for (const status of [500, 503]) expect(before).toContain(`access_admin_failed_requests_total{status="${status}"} 0`);
  for (const status of [200, 429, 503]) metrics.observe({ operationId: null, status, durationMs: 1 });
  const after = await linesOf();
  expect(after).toContain('access_admin_failed_requests_total{status="503"} 1');
  expect(after.filter((line) => line.startsWith('access_admin_failed_requests_total'))).toHaveLength(2);
});

// Prometheus gives these to what it scrapes, and calls those of a metric `exported_job` and `exported_instance`.
test('no metric has a label that Prometheus gives itself', async () => {
  const metrics = open();
  metrics.observe({ operationId: 'get-health', status: 200, durationMs: 1 });
  const { text } = await metrics.render();
  expect(text.split('\n').filter((line) => /[{,](job|instance|__\w+)="/.test(line))).toEqual([]);
});
