import type { Result } from '@access-admin/domain';
import {
  CACHE_BYTES_DEFAULT,
  CACHE_BYTES_MIN,
  DATABASE_URL_RULE,
  isSecretKey,
  LEASE_MS_MAX,
  parseDatabaseUrl,
  parseWebhookTargets,
  SECRET_KEY_RULE,
  WEBHOOK_TARGETS_RULE,
} from '@access-admin/store';
import { parseTelemetryConfig, type TelemetryConfig } from '@access-admin/telemetry';

export interface Config extends TelemetryConfig {
  /** Where `METRICS_PORT` listens. */
  readonly host: string;
  readonly databaseUrl: string;
  readonly logLevel: string;
  /** How long a worker may hold a claimed check before another worker takes it. */
  readonly checkLeaseMs: number;
  /** The memory for compiled rulebooks and the access of identities, in bytes. */
  readonly cacheBytes: number;
  /** How long ended violations are kept. */
  readonly violationRetentionDays: number;
  /** How long completed checks are kept, with their receipts. */
  readonly checkRetentionDays: number;
  /** The address of the service, the source of its events; may hold `{tenant}`. Without a trailing slash. */
  readonly baseAddress: string;
  /** The key of the secrets in the database, and the one before; null where they are not given. */
  readonly secretKey: string | null;
  readonly previousSecretKey: string | null;
  /** The origins that webhooks may have although they are not public. */
  readonly webhookTargets: ReadonlySet<string>;
  /** How long events are kept. */
  readonly eventRetentionDays: number;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const LEASE_MS_MIN = 100;
const EVENT_RETENTION_DAYS_DEFAULT = 30;
const EVENT_RETENTION_DAYS_MAX = 3_650;

type Env = Readonly<Record<string, string | undefined>>;

/** Parses the configuration from environment variables; the failure lists every error. */
export function parseConfig(env: Env): Result<Config, readonly string[]> {
  const databaseUrl = env['DATABASE_URL'] || 'sqlite:var/access-admin.db';
  const logLevel = env['LOG_LEVEL'] || 'info';
  const lease = env['CHECK_LEASE_MS'] || '5000';
  const checkLeaseMs = /^\d{1,9}$/.test(lease) ? Number(lease) : 0;
  const cache = env['CACHE_BYTES'] || String(CACHE_BYTES_DEFAULT);
  const cacheBytes = /^\d{1,15}$/.test(cache) ? Number(cache) : 0;
  const retention = env['VIOLATION_RETENTION_DAYS'] || '400';
  const violationRetentionDays = /^\d{1,5}$/.test(retention) ? Number(retention) : 0;
  const eventRetention = env['EVENT_RETENTION_DAYS'] || String(EVENT_RETENTION_DAYS_DEFAULT);
  const eventRetentionDays = /^\d{1,4}$/.test(eventRetention) ? Number(eventRetention) : 0;
  const checkRetention = env['CHECK_RETENTION_DAYS'] || '400';
  const checkRetentionDays = /^\d{1,5}$/.test(checkRetention) ? Number(checkRetention) : 0;
  const errors: string[] = [];
  // The value may contain a password and is not repeated.
  if (parseDatabaseUrl(databaseUrl) === null) errors.push(`DATABASE_URL must be ${DATABASE_URL_RULE}.`);
  if (!LOG_LEVELS.includes(logLevel)) errors.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`);
  if (checkLeaseMs < LEASE_MS_MIN || checkLeaseMs > LEASE_MS_MAX)
    errors.push(`CHECK_LEASE_MS must be a whole number of milliseconds from ${LEASE_MS_MIN} to ${LEASE_MS_MAX}.`);
  if (cacheBytes < CACHE_BYTES_MIN)
    errors.push(`CACHE_BYTES must be a whole number of bytes from ${CACHE_BYTES_MIN} on.`);
  if (violationRetentionDays < 1)
    errors.push('VIOLATION_RETENTION_DAYS must be a whole number of days from 1 to 99999.');
  if (checkRetentionDays < 1) errors.push('CHECK_RETENTION_DAYS must be a whole number of days from 1 to 99999.');
  if (eventRetentionDays < 1 || eventRetentionDays > EVENT_RETENTION_DAYS_MAX)
    errors.push(`EVENT_RETENTION_DAYS must be a whole number of days from 1 to ${EVENT_RETENTION_DAYS_MAX}.`);
  const webhooks = parseWebhookConfig(env, errors);
  // Another process listens on PORT.
  const telemetry = parseTelemetryConfig(env, errors);
  return errors.length > 0
    ? { ok: false, failure: errors }
    : {
        ok: true,
        value: {
          databaseUrl,
          logLevel,
          checkLeaseMs,
          cacheBytes,
          violationRetentionDays,
          checkRetentionDays,
          eventRetentionDays,
          ...webhooks,
          ...telemetry,
        },
      };
}

type WebhookConfig = Pick<Config, 'host' | 'baseAddress' | 'secretKey' | 'previousSecretKey' | 'webhookTargets'>;

function parseWebhookConfig(env: Env, errors: string[]): WebhookConfig {
  const host = env['HOST'] || '127.0.0.1';
  const ownAddress = `http://${host.includes(':') ? `[${host}]` : host}:${env['PORT'] || '8080'}`;
  const baseAddress = (env['BASE_ADDRESS'] || ownAddress).replace(/\/$/, '');
  if (URL.parse(baseAddress.replace('{tenant}', 'tenant')) === null)
    errors.push('BASE_ADDRESS must be the address that the API has.');
  for (const name of ['SECRET_KEY', 'SECRET_KEY_PREVIOUS'])
    if (env[name] && !isSecretKey(env[name])) errors.push(`${name} must be ${SECRET_KEY_RULE}.`);
  const targets = env['WEBHOOK_TARGETS'] ? parseWebhookTargets(env['WEBHOOK_TARGETS']) : new Set<string>();
  if (targets === null) errors.push(`WEBHOOK_TARGETS must be ${WEBHOOK_TARGETS_RULE}.`);
  return {
    host,
    baseAddress,
    secretKey: env['SECRET_KEY'] || null,
    previousSecretKey: env['SECRET_KEY_PREVIOUS'] || null,
    webhookTargets: targets ?? new Set(),
  };
}
