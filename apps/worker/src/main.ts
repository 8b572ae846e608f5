import './process/require-node.ts';
import { createScheduler } from '@access-admin/scheduling';
import { createSodReader, openSecrets, openStore } from '@access-admin/store';
import { parseConfig } from './config.ts';
import { busyMs, wait } from './leased/wait.ts';
import { openLog } from './process/open-log.ts';
import { refuse } from './process/refuse.ts';
import { createWorker } from './process/worker.ts';
import { createPopulations, SHARD_SIZE } from './reports/population.ts';
import { openDelivery } from './webhooks/open-delivery.ts';

const STOP_GRACE_MS = 8_000;
/** So long work goes on until other work of the worker is let go on. */
const YIELD_AFTER_MS = 5;

const parsed = parseConfig(process.env);
if (!parsed.ok) refuse(['The configuration is wrong:', ...parsed.failure].join('\n  '), 2);
const config = parsed.value;
const log = openLog(config.logLevel);
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());
// Work that hangs is abandoned; another worker takes it when its lease ends.
stopping.signal.addEventListener('abort', () => setTimeout(() => process.exit(1), STOP_GRACE_MS).unref());
stopping.signal.addEventListener('abort', () => log.info('stopping'));
const cannotOpen = (error: Error) => refuse(`The store cannot be opened: ${String(error.cause ?? error.message)}`, 1);
await using store = await openStore(config.databaseUrl).catch(cannotOpen);
const cipher = await openSecrets(store, { given: config, folder: 'var', now: () => new Date(), log });
if (!cipher.ok) refuse(cipher.failure, 2);
// Half of the memory is for checks, half for reports.
const bytesMax = config.cacheBytes / 2;
const reader = createSodReader(store.sod, { cacheBytes: bytesMax });
const populations = createPopulations({ bytesMax, shardSize: SHARD_SIZE });
const { yieldIfDue } = createScheduler({ elapsed: busyMs, dueAfterMs: YIELD_AFTER_MS });
const system = { log, now: Date.now, busyMs, yieldIfDue, random: Math.random, wait };
const { webhookTargets: targets, baseAddress, checkLeaseMs: leaseMs } = config;
// Without a key nothing can be signed, and so nothing is delivered.
const delivery =
  cipher.value === null ? null : openDelivery({ ...system, store, cipher: cipher.value, targets, baseAddress });
const worker = createWorker({ ...store, ...config, ...system, populations, reader, delivery, leaseMs });
log.info({ engine: store.engine }, 'working');
await worker.run(stopping.signal);
log.info('stopped');
