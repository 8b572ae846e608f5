import { expect, test } from 'vitest';
import { createSqliteCommitSignal } from './sqlite-commit-signal.ts';

test('looks once a second where files give no sign, also after the version could not be read', async () => {
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
