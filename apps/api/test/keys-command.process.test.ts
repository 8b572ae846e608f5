import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createEngineDatabase } from '@access-admin/harness';
import { openStore } from '@access-admin/store';
import { expect, onTestFinished, test } from 'vitest';
import { openSigningKeys } from '../src/auth/signing-keys.ts';

const COMMAND = fileURLToPath(new URL('../src/auth/keys-command/main.ts', import.meta.url));
const ADDRESS = 'https://acme.example';

const run = (env: Readonly<Record<string, string>>, ...args: string[]) =>
  new Promise<{ readonly code: unknown; readonly said: string }>((resolve) => {
    const argv = ['--conditions=@access-admin/source', COMMAND, ...args];
    execFile(process.execPath, argv, { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, said: stdout + stderr }),
    );
  });

test('the command access-admin-keys replaces the key of a base address while a process uses it', async () => {
  const { url, remove } = await createEngineDatabase(undefined, async (database) =>
    (await openStore(database)).close(),
  );
  const store = await openStore(url);
  onTestFinished(async () => {
    await store.close();
    await remove();
  });
  const clock = { nowMs: Date.now(), elapsedMs: 0 };
  const deps = { store: store.signingKeys, now: () => new Date(clock.nowMs), elapsed: () => clock.elapsedMs };
  const keys = await openSigningKeys(deps, ADDRESS);
  const { kid } = await keys.current();
  const env = { DATABASE_URL: url, BASE_ADDRESS: ADDRESS };
  const rotated = await run(env, 'rotate');
  expect(rotated).toEqual({ code: 0, said: expect.stringContaining(`${kid} is retired.`) });
  // The clock of the system may have been set back meanwhile.
  clock.nowMs -= 3_600_000;
  clock.elapsedMs += 1_000;
  const { kid: next } = await keys.current();
  expect(rotated.said).toContain(`${next} signs for ${ADDRESS} now`);
  expect((await keys.jwks()).keys.map((key) => key.kid)).toEqual([next, kid]);
  const { code, said } = await run(env, 'list');
  expect([code, said.split('\n').map((line) => line.split(' ')[0])]).toEqual([0, [next, kid, '']]);
  expect(await run({ ...env, BASE_ADDRESS: 'https://other.example' }, 'rotate')).toEqual({
    code: 1,
    said: 'No key signs for https://other.example: set BASE_ADDRESS as the API has it.\n',
  });
  for (const args of [[], ['delete'], ['rotate', 'now']]) expect((await run(env, ...args)).code).toBe(2);
});
