import './require-node.ts';
import { createSodReader, openStore } from '@access-admin/store';
import { destination, pino } from 'pino';
import { parseConfig } from './config.ts';
import { createRunLoop } from './run-loop.ts';
import { wait } from './wait.ts';

const STOP_GRACE_MS = 8_000;

const parsed = parseConfig(process.env);
if (!parsed.ok) {
  process.stderr.write(`The configuration is wrong:\n${parsed.failure.map((fault) => `  ${fault}\n`).join('')}`);
  process.exit(2);
}
const config = parsed.value;
const log = pino({ level: config.logLevel, base: null }, destination({ dest: 1, sync: true }));
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());
// A batch that hangs is left to its lease.
stopping.signal.addEventListener('abort', () => setTimeout(() => process.exit(1), STOP_GRACE_MS).unref());

await using store = await openStore(config.databaseUrl).catch((error: Error) => {
  process.stderr.write(`The store cannot be opened: ${String(error.cause ?? error.message)}\n`);
  process.exit(1);
});
const runLoop = createRunLoop(
  {
    checks: store.checks,
    reader: createSodReader(store.sod, config),
    onCommit: store.onCommit,
    log,
    now: Date.now,
    random: Math.random,
    wait,
  },
  { leaseMs: config.checkLeaseMs },
);
log.info({ engine: store.engine }, 'working');
await runLoop.run(stopping.signal);
log.info('stopped');
