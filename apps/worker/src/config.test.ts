import { describe, expect, test } from 'vitest';
import { parseConfig } from './config.ts';

describe('parseConfig', () => {
  test('has defaults for everything, also where a variable is empty', () => {
    const value = { databaseUrl: 'sqlite:var/access-admin.db', logLevel: 'info', checkLeaseMs: 30_000 };
    expect(parseConfig({})).toEqual({ ok: true, value });
    expect(parseConfig({ DATABASE_URL: '', LOG_LEVEL: '', CHECK_LEASE_MS: '' })).toEqual({ ok: true, value });
  });

  test('takes what is given', () => {
    const env = { DATABASE_URL: 'sqlite:/data/a.db', LOG_LEVEL: 'debug', CHECK_LEASE_MS: '500', OTHER: 'x' };
    const value = { databaseUrl: 'sqlite:/data/a.db', logLevel: 'debug', checkLeaseMs: 500 };
    expect(parseConfig(env)).toEqual({ ok: true, value });
  });

  test('lists every fault at once', () => {
    const parsed = parseConfig({ DATABASE_URL: 'mysql://u:secret@h/d', LOG_LEVEL: 'loud', CHECK_LEASE_MS: '1.5' });
    expect(parsed).toEqual({
      ok: false,
      failure: [
        'DATABASE_URL must be sqlite:<path>.',
        'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent.',
        'CHECK_LEASE_MS must be a whole number of milliseconds from 100 to 3600000.',
      ],
    });
  });

  test.each(['postgres://u:secret@h/d', 'postgresql://u:secret@h/d'])('refuses PostgreSQL for now: %s', (url) => {
    const failure = ['DATABASE_URL: PostgreSQL is not supported yet; use sqlite:<path>.'];
    expect(parseConfig({ DATABASE_URL: url })).toEqual({ ok: false, failure });
  });

  test.each([
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'sqlite::memory:'],
    ['LOG_LEVEL', 'INFO'],
    ['CHECK_LEASE_MS', '99'],
    ['CHECK_LEASE_MS', '3600001'],
    ['CHECK_LEASE_MS', '-1'],
    ['CHECK_LEASE_MS', '30s'],
    ['CHECK_LEASE_MS', '1e3'],
  ])('refuses %s=%s', (name, text) => {
    const parsed = parseConfig({ [name]: text });
    expect(parsed.ok ? [] : parsed.failure).toEqual([expect.stringContaining(name)]);
  });
});
