import '@access-admin/telemetry/require-node';
import { AUDIT_HEAD_TYPE, type AuditLogHead, auditHeadText } from '@access-admin/domain';
import { createScheduler } from '@access-admin/scheduling';
import {
  createSodReader,
  openSecrets,
  openStore,
  readJsonSigningKey,
  signJson,
  UnsuitableAddress,
  whyNotOpened,
} from '@access-admin/store';
import {
  createJobMetrics,
  createProcessMetrics,
  type EndedJob,
  endProcess,
  openDecisionLog,
  openStdout,
  openTracing,
  refuse,
  scrapeGroup,
  serveMetrics,
} from '@access-admin/telemetry';
import { openAuditStream } from './audit-stream/open.ts';
import type { CheckWorkDeps } from './checks/work.ts';
import { parseConfig } from './config.ts';
import { busyMs, wait } from './leased/wait.ts';
import { openMailServer } from './mail/server.ts';
import { createMailWork } from './mail/work.ts';
import { createJobLog } from './process/job-log.ts';
import { createJobSpans } from './process/job-spans.ts';
import { openLog } from './process/open-log.ts';
import { createWorker } from './process/worker.ts';
import { createPopulations, SHARD_SIZE } from './reports/population.ts';
import { openDelivery } from './webhooks/open-delivery.ts';

const STOP_GRACE_MS = 8_000;
/** Long work yields after this many milliseconds. */
const YIELD_AFTER_MS = 5;

const parsed = parseConfig(process.env);
if (!parsed.ok) refuse(['The configuration is wrong:', ...parsed.failure].join('\n  '), 2);
const config = parsed.value;
const stdout = openStdout({
  onRecovery: (linesLost) => log.warn({ linesLost }, 'lines of the log were lost'),
  now: Date.now,
});
const log = openLog(config.logLevel, stdout, config.processName ?? undefined);
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());
// Work that hangs is abandoned; another worker takes it when its lease ends.
stopping.signal.addEventListener('abort', () => setTimeout(() => process.exit(1), STOP_GRACE_MS).unref());
stopping.signal.addEventListener('abort', () => log.info('stopping'));
using _end = endProcess();
const { databaseUrl } = config;
await using store = await openStore(databaseUrl, { mails: config.mail !== null }).catch((error) =>
  refuse(whyNotOpened(databaseUrl, error), error instanceof UnsuitableAddress ? 2 : 1),
);
if (store.migrated.length > 0) log.info({ migrations: store.migrated, engine: store.engine }, 'database migrated');
const cipher = await openSecrets(store, { given: config, folder: 'var', now: () => new Date(), log });
if (!cipher.ok) refuse(cipher.failure, 2);
const metrics = createProcessMetrics({ store, stdout, now: Date.now });
const scraped = await serveMetrics(config, scrapeGroup(metrics, config.processName, process));
if (!scraped.ok) refuse(scraped.failure, 1);
await using _scraped = scraped.value;
await using tracing = await openTracing(config, {
  service: 'access-admin-worker',
  metrics,
  now: Date.now,
  log: { warn: (fields, message) => log.warn(fields, message) },
});
const onReopen = (reopen: () => void) => process.on('SIGHUP', reopen);
const decisionLog = await openDecisionLog(config.decisionLog, {
  registry: metrics.registry,
  stdout,
  log: { info: (fields, message) => log.info(fields, message), error: (fields, message) => log.error(fields, message) },
  now: () => new Date(),
  onReopen,
});
if (!decisionLog.ok) refuse(decisionLog.failure, 2);
await using decisions = decisionLog.value;
const onVerdict: CheckWorkDeps['onVerdict'] = ({ tenant, requestId, origin, ...request }, verdict) =>
  decisions?.write({
    kind: 'check',
    tenant,
    clientId: origin?.clientId ?? null,
    request,
    violatedPolicies: verdict?.violatedPolicies ?? null,
    basis: verdict?.basis ?? null,
    trackingId: origin?.trackingId ?? null,
    requestId,
  });
// Half of the memory is for checks, half for reports.
const bytesMax = config.cacheBytes / 2;
const reader = createSodReader(store.sod, { cacheBytes: bytesMax });
const populations = createPopulations({ bytesMax, shardSize: SHARD_SIZE });
const { yieldIfDue } = createScheduler({ elapsed: busyMs, dueAfterMs: YIELD_AFTER_MS });
const logJob = createJobLog(log);
const countJob = createJobMetrics(metrics.registry);
const traceJob = tracing === null ? () => {} : createJobSpans(tracing);
const onJobEnd = (job: EndedJob) => {
  logJob(job);
  countJob(job);
  traceJob(job);
};
const { countStorageFailure: onStorageFailure } = metrics;
const system = {
  log,
  tracing,
  onJobEnd,
  onStorageFailure,
  now: Date.now,
  busyMs,
  yieldIfDue,
  random: Math.random,
  wait,
};
const { webhookTargets: targets, baseAddress, checkLeaseMs: leaseMs } = config;
// Without a key nothing can be signed, and so nothing is delivered.
const delivery =
  cipher.value === null ? null : openDelivery({ ...system, store, cipher: cipher.value, targets, baseAddress });
const { auditStream: target, auditStreamFormat: format } = config;
const auditLogs =
  target === null
    ? null
    : openAuditStream({ ...system, target, format, leaseMs, onReopen, auditStream: store.auditStream });
const signAuditHead = async (tenant: string, head: AuditLogHead) =>
  signJson(await readJsonSigningKey(store.signingKeys, baseAddress), AUDIT_HEAD_TYPE, auditHeadText(tenant, head));
const mailWork =
  config.mail === null || cipher.value === null
    ? null
    : createMailWork({
        ...system,
        ...store,
        server: openMailServer(config.mail),
        cipher: cipher.value,
        baseAddress,
        leaseMs,
      });
const worker = createWorker({
  ...store,
  ...config,
  ...system,
  populations,
  reader,
  delivery,
  auditLogs,
  signAuditHead,
  mailWork,
  leaseMs,
  onVerdict,
});
log.info({ engine: store.engine, pid: process.pid }, 'working');
await worker.run(stopping.signal);
log.info('stopped');
