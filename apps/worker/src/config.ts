import type { Result } from '@access-admin/domain';
import {
  createTake,
  type Env,
  LEASE_MS_MAX,
  parseSharedConfig,
  type SharedConfig,
  type Variable,
} from '@access-admin/store';
import { parseTelemetryConfig, type TelemetryConfig } from '@access-admin/telemetry';
import { AUDIT_STREAM_RULE, type AuditStreamTarget, parseAuditStream } from './audit-stream/target.ts';

/** `host` is where `METRICS_PORT` listens, and `baseAddress` the source of events. */
export interface Config extends SharedConfig, TelemetryConfig {
  /** How long a worker may hold a claimed check before another worker takes it. */
  readonly checkLeaseMs: number;
  /** How long ended violations are kept. */
  readonly violationRetentionDays: number;
  /** How long events are kept. */
  readonly eventRetentionDays: number;
  /** How long completed checks are kept, with their receipts. */
  readonly checkRetentionDays: number;
  /** How long audit events are kept; null for good. */
  readonly auditRetentionDays: number | null;
  /** The folder that audit events are written to before they are removed; empty for none. */
  readonly auditArchive: string;
  /** Where audit events are streamed; null for nowhere. */
  readonly auditStream: AuditStreamTarget | null;
  readonly auditStreamFormat: 'json' | 'ocsf';
}

const LEASE_MS_MIN = 100;
const DAYS_MAX = 99_999;
const EVENT_RETENTION_DAYS_MAX = 3_650;

const isWithin = (text: string, min: number, max: number): boolean =>
  /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;

const days = (fallback: number, max: number): Variable => ({
  fallback: String(fallback),
  isGood: (text) => isWithin(text, 1, max),
  rule: `a whole number of days from 1 to ${max}`,
});

const VARIABLES = {
  CHECK_LEASE_MS: {
    fallback: '5000',
    isGood: (text) => isWithin(text, LEASE_MS_MIN, LEASE_MS_MAX),
    rule: `a whole number of milliseconds from ${LEASE_MS_MIN} to ${LEASE_MS_MAX}`,
  },
  VIOLATION_RETENTION_DAYS: days(400, DAYS_MAX),
  EVENT_RETENTION_DAYS: days(30, EVENT_RETENTION_DAYS_MAX),
  CHECK_RETENTION_DAYS: days(400, DAYS_MAX),
  AUDIT_RETENTION_DAYS: {
    fallback: '',
    isGood: (text) => text === '' || isWithin(text, 1, DAYS_MAX),
    rule: `a whole number of days from 1 to ${DAYS_MAX}, or empty to keep audit events for good`,
  },
  AUDIT_ARCHIVE: { fallback: '', isGood: () => true, rule: 'the path of a folder' },
  AUDIT_STREAM: { fallback: '', isGood: (text) => text === '' || parseAuditStream(text).ok, rule: AUDIT_STREAM_RULE },
  AUDIT_STREAM_FORMAT: { fallback: 'json', isGood: (text) => /^(json|ocsf)$/.test(text), rule: 'json or ocsf' },
} as const satisfies Record<string, Variable>;

/** Parses the configuration from environment variables; the failure lists every error. */
export function parseConfig(env: Env): Result<Config, readonly string[]> {
  const errors: string[] = [];
  // The API listens on the port.
  const { port: _, ...shared } = parseSharedConfig(env, errors);
  const take = createTake(VARIABLES, env, errors);
  const auditRetention = take('AUDIT_RETENTION_DAYS');
  const auditArchive = take('AUDIT_ARCHIVE');
  if (auditRetention !== '' && auditArchive === '')
    errors.push('AUDIT_ARCHIVE must name a folder: AUDIT_RETENTION_DAYS removes nothing that is not written there');
  const streamed = parseAuditStream(take('AUDIT_STREAM'));
  const config: Config = {
    ...shared,
    checkLeaseMs: Number(take('CHECK_LEASE_MS')),
    violationRetentionDays: Number(take('VIOLATION_RETENTION_DAYS')),
    eventRetentionDays: Number(take('EVENT_RETENTION_DAYS')),
    checkRetentionDays: Number(take('CHECK_RETENTION_DAYS')),
    auditRetentionDays: auditRetention === '' ? null : Number(auditRetention),
    auditArchive,
    auditStream: streamed.ok ? streamed.value : null,
    auditStreamFormat: take('AUDIT_STREAM_FORMAT') === 'ocsf' ? 'ocsf' : 'json',
    ...parseTelemetryConfig(env, errors),
  };
  return errors.length > 0 ? { ok: false, failure: errors } : { ok: true, value: config };
}
