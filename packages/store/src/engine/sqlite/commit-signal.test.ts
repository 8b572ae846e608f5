import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSqliteCommitSignal } from './commit-signal.ts';

test('polls once a second without a signal of the files, also after a failed read of the version', async () => {
  const versions = [1, new Error('away'), 2];
  const readVersion = () => {
    const version = versions.shift() ?? 2;
    if (version instanceof Error) throw version;
    return version;
  };
  const signal = createSqliteCommitSignal('/no/such/directory/store.db', readVersion);
  await new Promise<void>((resolve) => signal.subscribe(resolve));
  expect(versions).toEqual([]);
  signal.close();
});

test('polls a few times a millisecond at most, however many signals a long commit causes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-signal-'));
  let looks = 0;
  const signal = createSqliteCommitSignal(join(folder, 'store.db'), () => ++looks);
  let signs = 0;
  signal.subscribe(() => signs++);
  const log = openSync(join(folder, 'store.db-wal'), 'w');
  const start = performance.now();
  for (let page = 0; page < 5_000; page++) {
    writeSync(log, 'page');
    await setImmediate();
  }
  const milliseconds = performance.now() - start;
  signal.close();
  closeSync(log);
  rmSync(folder, { recursive: true });
  expect(signs).toBeGreaterThan(0);
  expect(looks).toBeLessThan(3 * milliseconds + 20);
});
