import '@access-admin/telemetry/require-node';
import { openSecrets, openStore, UnsuitableAddress, whyNotOpened } from '@access-admin/store';
import {
  endProcess,
  openDecisionLog,
  openStdout,
  openTracing,
  refuse,
  scrapeGroup,
  serveMetrics,
} from '@access-admin/telemetry';
import { createApp } from './app.ts';
import { openDenialLog } from './audit/denial-log.ts';
import { prepareBootstrapClient } from './auth/client-secrets/bootstrap-client.ts';
import { keepCredentials } from './auth/client-secrets/keep-credentials.ts';
import { createSecrets } from './auth/client-secrets/secrets.ts';
import { openSigningKeys } from './auth/signing-keys.ts';
import { parseConfig } from './config.ts';
import { stopSignal, untilStopped } from './process/stop-signal.ts';
import { system } from './process/system.ts';
import { EXIT_GRACE_MS, STOP_GRACE_MS, serve } from './server/serve.ts';
import { openPasswordThreads } from './sign-in/factors/password-threads.ts';
import { createMetrics } from './telemetry/metrics.ts';
import { openLog } from './telemetry/open-log.ts';

const parsed = parseConfig(process.env);
if (!parsed.ok) refuse(['The configuration is wrong:', ...parsed.failure].join('\n  '), 2);
const config = parsed.value;
const stdout = openStdout({
  onRecovery: (linesLost) => log.warn({ linesLost }, 'lines of the log were lost'),
  now: Date.now,
});
const log = openLog(config.logLevel, stdout, config.processName ?? undefined);
const stopping = stopSignal(EXIT_GRACE_MS);
using _end = endProcess();
const { databaseUrl } = config;
await using store = await openStore(databaseUrl, { mails: config.mail !== null }).catch((error) =>
  refuse(whyNotOpened(databaseUrl, error), error instanceof UnsuitableAddress ? 2 : 1),
);
if (store.migrated.length > 0) log.info({ migrations: store.migrated, engine: store.engine }, 'database migrated');
const cipher = await openSecrets(store, { given: config, folder: 'var', log, ...system });
if (!cipher.ok) refuse(cipher.failure, 2);
const secrets = createSecrets(system);
await prepareBootstrapClient({ clients: store.clients, secrets, config, log, ...system, keep: keepCredentials('var') });
const keys = await openSigningKeys({ store: store.signingKeys, log, ...system }, config.baseAddress);
const own = createMetrics({ store, stdout, now: Date.now });
const metrics = { ...own, ...scrapeGroup(own, config.processName, process) };
await using denials = openDenialLog({ audit: store.audit, log, ...system });
const { registry } = metrics;
const decisionLog = await openDecisionLog(config.decisionLog, {
  registry,
  stdout,
  log,
  now: system.now,
  onReopen: (reopen) => process.on('SIGHUP', reopen),
});
if (!decisionLog.ok) refuse(decisionLog.failure, 2);
await using decisions = decisionLog.value;
await using tracing = await openTracing(config, { service: 'access-admin-api', metrics, log, now: Date.now });
await using passwordThreads = openPasswordThreads(system);
const app = createApp({
  store,
  config,
  system,
  keys,
  secrets,
  cipher: cipher.value,
  passwordThreads,
  denials,
  decisions,
  tracing,
  log,
  metrics,
  stopping,
});
const serving = await serve(app, { host: config.host, port: config.port, log, metrics });
if (!serving.ok) refuse(serving.failure, 1);
const scraped = await serveMetrics(config, metrics);
if (!scraped.ok) refuse(scraped.failure, 1);
await using _scraped = scraped.value;
log.info({ baseAddress: config.baseAddress, engine: store.engine, pid: process.pid }, 'listening');
await untilStopped(stopping);
log.info({}, 'stopping');
await serving.value.stop(STOP_GRACE_MS);
log.info({}, 'stopped');
