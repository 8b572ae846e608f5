import './process/require-node.ts';
import { once } from 'node:events';
import { openStore } from '@access-admin/store';
import { createApp } from './app.ts';
import { openDenialLog } from './audit/coalesce-denials.ts';
import { createBootstrapClient } from './auth/bootstrap-client.ts';
import { keepCredentials } from './auth/keep-credentials.ts';
import { createSecrets } from './auth/secrets.ts';
import { openSigningKeys } from './auth/signing-keys.ts';
import { parseConfig } from './config.ts';
import { system } from './process/system.ts';
import { EXIT_GRACE_MS, STOP_GRACE_MS, serve } from './server/serve.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { openLog } from './telemetry/open-log.ts';

function refuse(text: string, exitCode: number): never {
  process.stderr.write(`${text}\n`);
  process.exit(exitCode);
}
const parsed = parseConfig(process.env);
if (!parsed.ok) refuse(['The configuration is wrong:', ...parsed.failure].join('\n  '), 2);
const config = parsed.value;
const log = openLog(config.logLevel);
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());
// A write that takes longer is abandoned; the storage rolls it back.
stopping.signal.addEventListener('abort', () => setTimeout(() => process.exit(1), EXIT_GRACE_MS).unref());
const cannotOpen = (error: Error) => refuse(`The store cannot be opened: ${String(error.cause ?? error.message)}`, 1);
await using store = await openStore(config.databaseUrl).catch(cannotOpen);
const secrets = createSecrets(system);
await createBootstrapClient({ clients: store.clients, secrets, config, ...system, keep: keepCredentials('var') });
const keys = await openSigningKeys({ store: store.signingKeys, ...system }, config.baseAddress);
const metrics = createMetrics(store);
await using denials = openDenialLog({ audit: store.audit, log, ...system });
const app = createApp({ store, keys, secrets, config, log, metrics, denials, ...system, stopping: stopping.signal });
const serving = await serve(app, { ...config, ...system, log, metrics });
if (!serving.ok) refuse(serving.failure, 1);
log.info({ baseAddress: config.baseAddress, engine: store.engine }, 'listening');
if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
log.info({}, 'stopping');
await serving.value.stop(STOP_GRACE_MS);
log.info({}, 'stopped');
