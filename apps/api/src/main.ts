import './require-node.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { openStore } from '@access-admin/store';
import { destination, pino } from 'pino';
import { announceClient } from './announce-client.ts';
import { createApp } from './app.ts';
import { createBootstrapClient } from './bootstrap-client.ts';
import { parseConfig } from './config.ts';
import { createMetrics } from './metrics.ts';
import { serve } from './serve.ts';
import { openSigningKeys } from './signing-keys.ts';

const STOP_GRACE_MS = 8000;
// A write for each line costs more than the line; what is left is written at exit.
const LOG_DESTINATION = { dest: 1, sync: true, minLength: 4096, periodicFlush: 100 };

const parsed = parseConfig(process.env);
if (!parsed.ok) {
  process.stderr.write(`The configuration is wrong:\n${parsed.failure.map((fault) => `  ${fault}\n`).join('')}`);
  process.exit(2);
}
const config = parsed.value;
const log = pino({ level: config.logLevel, base: null }, destination(LOG_DESTINATION));
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());

await using store = await openStore(config.databaseUrl);
const now = () => new Date();
const ids = {
  newId: randomUUID,
  newSecret: () => randomBytes(32).toString('base64url'),
  newTrackingId: () => randomUUID().replaceAll('-', ''),
};
await createBootstrapClient({ clients: store.clients, config, now, ...ids, announce: announceClient });
const keys = await openSigningKeys({ store: store.signingKeys, now }, config.baseAddress);
const metrics = createMetrics(() => store.checks.countPending());
const app = createApp({
  store,
  keys,
  config,
  log,
  metrics,
  now,
  elapsed: () => performance.now(),
  ...ids,
  stopping: stopping.signal,
});
const serving = await serve(app, config);
log.info({ baseAddress: config.baseAddress, engine: store.engine }, 'listening');
if (!stopping.signal.aborted)
  await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve, { once: true }));
log.info('stopping');
await serving.stop(STOP_GRACE_MS);
