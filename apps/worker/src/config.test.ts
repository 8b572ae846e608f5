import { describe, expect, test } from 'vitest';
import { parseConfig } from './config.ts';

const OF_WEBHOOKS = {
  host: '127.0.0.1',
  baseAddress: 'http://127.0.0.1:8080',
  secretKey: null,
  previousSecretKey: null,
  webhookTargets: new Set(),
  mail: null,
};

const NO_TELEMETRY = { processName: null, metricsPort: null, metricsToken: null, decisionLog: null, otlp: null };

describe('parseConfig', () => {
  test('has defaults for missing and empty variables', () => {
    const value = {
      databaseUrl: 'sqlite:var/access-admin.db',
      logLevel: 'info',
      checkLeaseMs: 5_000,
      cacheBytes: 536_870_912,
      violationRetentionDays: 400,
      ...OF_WEBHOOKS,
      eventRetentionDays: 30,
      checkRetentionDays: 400,
      auditRetentionDays: null,
      auditArchive: '',
      auditStream: null,
      auditStreamFormat: 'json',
      ...NO_TELEMETRY,
    };
    expect(parseConfig({})).toEqual({ ok: true, value });
    expect(parseConfig({ DATABASE_URL: '', LOG_LEVEL: '', CHECK_LEASE_MS: '', CACHE_BYTES: '' })).toEqual({
      ok: true,
      value,
    });
  });

  test('uses the given values', () => {
    const given = {
      LOG_LEVEL: 'debug',
      CHECK_LEASE_MS: '500',
      CACHE_BYTES: '1048576',
      VIOLATION_RETENTION_DAYS: '30',
      EVENT_RETENTION_DAYS: '7',
      CHECK_RETENTION_DAYS: '90',
      AUDIT_RETENTION_DAYS: '365',
      AUDIT_ARCHIVE: '/srv/archive',
      AUDIT_STREAM: 'syslog+tls://[::1]:6514',
      AUDIT_STREAM_FORMAT: 'ocsf',
    };
    const env = { DATABASE_URL: 'sqlite:/data/a.db', ...given, OTHER: 'x' };
    const value = {
      databaseUrl: 'sqlite:/data/a.db',
      logLevel: 'debug',
      checkLeaseMs: 500,
      cacheBytes: 1_048_576,
      violationRetentionDays: 30,
      eventRetentionDays: 7,
      checkRetentionDays: 90,
      auditRetentionDays: 365,
      auditArchive: '/srv/archive',
      auditStream: { kind: 'syslog', transport: 'tls', host: '::1', port: 6514 },
      auditStreamFormat: 'ocsf',
    };
    expect(parseConfig(env)).toEqual({ ok: true, value: { ...value, ...OF_WEBHOOKS, ...NO_TELEMETRY } });
  });

  test('reads what webhooks need', () => {
    const secretKey = 'k'.repeat(32);
    const previousSecretKey = 'l'.repeat(64);
    const keys = { SECRET_KEY: secretKey, SECRET_KEY_PREVIOUS: previousSecretKey };
    const targets = { WEBHOOK_TARGETS: 'http://127.0.0.1:9000,https://siem.example:8088' };
    expect(parseConfig({ ...keys, ...targets, BASE_ADDRESS: 'https://{tenant}.example.com/' })).toMatchObject({
      value: {
        baseAddress: 'https://{tenant}.example.com',
        secretKey,
        previousSecretKey,
        webhookTargets: new Set(['http://127.0.0.1:9000', 'https://siem.example:8088']),
      },
    });
    const wrong = parseConfig({ SECRET_KEY: 'too short', WEBHOOK_TARGETS: 'siem.example', BASE_ADDRESS: 'x' });
    expect(wrong).toMatchObject({
      ok: false,
      failure: [/BASE_ADDRESS/, /^SECRET_KEY /, /WEBHOOK_TARGETS/].map((name) => expect.stringMatching(name)),
    });
    expect(JSON.stringify(wrong)).not.toContain('too short');
  });

  test('reads the server of mails, which needs a sender and, on PostgreSQL, a key', () => {
    const SMTP_URL = 'smtps://user:p%40ss@mail.example.com:465?tls.servername=mail.example.com';
    const MAIL_FROM = 'Access administration <access@example.com>';
    const mail = { smtpUrl: SMTP_URL, from: MAIL_FROM };
    expect(parseConfig({ SMTP_URL, MAIL_FROM })).toMatchObject({ ok: true, value: { mail } });
    for (const wrong of ['mail.example.com:25', 'http://mail.example.com', 'smtp://mail.example.com/inbox'])
      expect(parseConfig({ SMTP_URL: wrong, MAIL_FROM })).toMatchObject({
        failure: [expect.stringMatching(/^SMTP_URL must/)],
      });
    expect(parseConfig({ MAIL_FROM })).toMatchObject({ ok: true, value: { mail: null } });
    expect(parseConfig({ SMTP_URL })).toEqual({ ok: false, failure: ['MAIL_FROM must be given with SMTP_URL.'] });
    expect(parseConfig({ SMTP_URL, MAIL_FROM, DATABASE_URL: 'postgres://u@h/d' })).toEqual({
      ok: false,
      failure: ['SECRET_KEY must be given with SMTP_URL: it encrypts sign-in links until they are sent.'],
    });
  });

  test('lists all errors', () => {
    const wrong = { LOG_LEVEL: 'loud', CHECK_LEASE_MS: '1.5', CACHE_BYTES: '512M', EVENT_RETENTION_DAYS: '0' };
    const parsed = parseConfig({ DATABASE_URL: 'mysql://u:secret@h/d', ...wrong });
    expect(parsed).toEqual({
      ok: false,
      failure: [
        'DATABASE_URL must be sqlite:<path> of a file or postgres://… with reserved characters percent-encoded.',
        'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent.',
        'CACHE_BYTES must be a whole number of bytes from 1048576 on.',
        'CHECK_LEASE_MS must be a whole number of milliseconds from 100 to 60000.',
        'EVENT_RETENTION_DAYS must be a whole number of days from 1 to 3650.',
      ],
    });
  });

  test.each([
    'postgres://u:secret@h/d',
    'postgresql://u:secret@h/d',
    'postgres://u:secret@/d?host=/run/postgresql',
    'postgres:///d?host=/run/postgresql',
    'postgres://u:s%23cret@h/d',
  ])('accepts PostgreSQL: %s', (url) => {
    expect(parseConfig({ DATABASE_URL: url })).toMatchObject({ ok: true, value: { databaseUrl: url } });
  });

  test.each([
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'postgres://u:1234#secret@h/d'],
    ['DATABASE_URL', 'postgres://u:se/cret@h/d'],
    ['DATABASE_URL', 'sqlite::memory:'],
    ['BASE_ADDRESS', 'https://access.example/path'],
    ['LOG_LEVEL', 'INFO'],
    ['CHECK_LEASE_MS', '99'],
    ['CHECK_LEASE_MS', '60001'],
    ['CHECK_LEASE_MS', '-1'],
    ['CHECK_LEASE_MS', '30s'],
    ['CHECK_LEASE_MS', '1e3'],
    ['EVENT_RETENTION_DAYS', '3651'],
    ['EVENT_RETENTION_DAYS', '1.5'],
    ['CACHE_BYTES', '1048575'],
    ['CACHE_BYTES', '-1'],
    ['CACHE_BYTES', '1e9'],
    ['CACHE_BYTES', '9999999999999999'],
    ['CHECK_RETENTION_DAYS', '0'],
    ['CHECK_RETENTION_DAYS', 'forever'],
    ['AUDIT_RETENTION_DAYS', '0'],
    ['AUDIT_ARCHIVE', ''],
    ['AUDIT_STREAM', 'file:'],
    ['AUDIT_STREAM', 'syslog://siem.example:514'],
    ['AUDIT_STREAM', 'syslog+tcp://siem.example'],
    ['AUDIT_STREAM', 'syslog+udp://siem.example:65536'],
    ['AUDIT_STREAM', 'syslog+tls://user@siem.example:6514'],
    ['AUDIT_STREAM_FORMAT', 'cef'],
    ['MAIL_FROM', 'access'],
    ['MAIL_FROM', 'a@example.com, b@example.com'],
    ['MAIL_FROM', 'Access <a@example.com>\r\nBcc: b@example.com'],
    ['VIOLATION_RETENTION_DAYS', '0'],
    ['VIOLATION_RETENTION_DAYS', '1.5'],
  ])('refuses %s=%s', (name, text) => {
    const parsed = parseConfig({ AUDIT_RETENTION_DAYS: '90', AUDIT_ARCHIVE: '/srv/archive', [name]: text });
    expect(parsed.ok ? [] : parsed.failure).toEqual([expect.stringContaining(name)]);
  });
});
