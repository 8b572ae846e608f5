import './loop/require-node.ts';
import { createSodReader } from '@access-admin/rulebook-cache';
import { openSecrets, openStore } from '@access-admin/store';
import { parseConfig } from './config.ts';
import { openLog } from './loop/open-log.ts';
import { refuse } from './loop/refuse.ts';
import { createRunLoop } from './loop/run-loop.ts';
import { busyMs, wait } from './loop/wait.ts';
import { createPopulations, SHARD_SIZE } from './reports/population.ts';
import { openDelivery } from './webhooks/open-delivery.ts';

const STOP_GRACE_MS = 8_000;

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
const system = { log, now: Date.now, busyMs, random: Math.random, wait };
const runLoop = createRunLoop(
  { ...store, ...config, ...system, populations, reader },
  { leaseMs: config.checkLeaseMs },
);
const { webhookTargets: targets, baseAddress } = config;
const { awaitStart } = runLoop;
const delivery = openDelivery({ ...system, awaitStart, store, cipher: cipher.value, targets, baseAddress });
log.info({ engine: store.engine }, 'working');
await Promise.all([runLoop.run(stopping.signal), delivery.run(stopping.signal)]);
log.info('stopped');
