import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '@access-admin/harness';
import { describe, expect, test } from 'vitest';
import { runHere } from './run-here.ts';

describe('the command refuses', () => {
  test.each([
    ['an unknown option of what runs without a command', ['--no-smaple'], '(Did you mean --no-sample?)'],
    ['an unknown option of a command', ['backup', '--overwritten'], '(Did you mean --overwrite?)'],
    ['an unknown command', ['bakcup'], '(Did you mean backup?)'],
    ['an unknown command on clients', ['clients', 'rest'], '(Did you mean reset?)'],
    ['an argument too many', ['keys', 'rotate', 'now'], 'too many arguments'],
    ['an unknown format', ['migrate', '--format', 'xml'], '--format xml: this command has human, json'],
    ['an unknown format of a reset', ['clients', 'reset', '--format', 'xml'], '--format xml: this command has'],
    ['a wrong configuration', ['keys', 'list'], 'LOG_LEVEL must be'],
  ])('%s', async (_, args, reason) => {
    using folder = openFolder('server');
    const database = join(folder.path, 'access-admin.db');
    const env = { DATABASE_URL: `sqlite:${database}`, LOG_LEVEL: args[0] === 'keys' ? 'loud' : '' };
    const ran = await runHere(args, { folder: folder.path, env });
    expect(ran).toEqual({ code: 2, out: '', notes: expect.stringContaining(reason) });
    expect(existsSync(database)).toBe(false);
  });
});

test('a start refuses what API and worker do not understand, each fault once, before it makes anything', async () => {
  using folder = openFolder('server');
  const env = {
    DATABASE_URL: `sqlite:${join(folder.path, 'access-admin.db')}`,
    LOG_LEVEL: 'loud',
    RATE_LIMIT: 'much',
    CHECK_LEASE_MS: '1',
    METRICS_PORT: '0',
  };
  for (const args of [['serve'], []]) {
    const { code, out, notes } = await runHere(args, { folder: folder.path, env });
    expect([code, out]).toEqual([2, '']);
    expect(notes.match(/^ +[A-Z_]+/gm)?.map((name) => name.trim())).toEqual([
      'LOG_LEVEL',
      'RATE_LIMIT',
      'METRICS_PORT',
      'CHECK_LEASE_MS',
    ]);
  }
  expect(readdirSync(folder.path)).toEqual([]);
});

test('the commands on files work in it', async () => {
  using folder = openFolder('server');
  expect((await runHere(['init', join(folder.path, 'rules')])).code).toBe(0);
  expect((await runHere(['fmt', '--check', join(folder.path, 'rules/rulebook')])).code).toBe(0);
});
