import { expose, writeMetrics } from '@access-admin/telemetry';
import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createRequestDurations } from './request-durations.ts';

test('durations are exposed as prom-client would count and write them', async () => {
  const registry = new Registry();
  const theirs = new Histogram({
    name: 'access_admin_request_duration_seconds',
    help: 'Duration of HTTP requests, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
    registers: [registry],
  });
  const ours = createRequestDurations();
  for (const [operation, status] of [
    ['get-auth-user-v1', 200],
    ['get-auth-user-v1', 404],
    ['other', 200],
  ] as const)
    for (const seconds of [0, 0.0005, 0.001, 0.0010001, 0.02, 0.25, 29.5, 30, 31]) {
      theirs.labels({ operation, status: String(status) }).observe(seconds);
      ours.observe(operation, status, seconds);
    }
  expect(expose([writeMetrics([ours.read()])]).text.trim()).toBe((await registry.metrics()).trim());
});
