import { createEngineDatabase } from '@access-admin/harness';
import { openSecrets, openStore } from '@access-admin/store';
import { expect, onTestFinished, test } from 'vitest';
import { runToItsEnd } from './run-api.ts';

const RIGHT = 'the-key-that-the-database-was-given';
const WRONG = 'another-key-of-more-than-32-characters';

test('another SECRET_KEY ends API and worker with code 2 and one line', async () => {
  const { url, remove } = await createEngineDatabase(undefined, async (fresh) => (await openStore(fresh)).close());
  onTestFinished(remove);
  const store = await openStore(url);
  const given = { secretKey: RIGHT, previousSecretKey: null };
  expect(
    await openSecrets(store, {
      given,
      folder: 'unused',
      now: () => new Date(),
      log: { info: () => {}, error: () => {} },
    }),
  ).toMatchObject({ ok: true });
  await store.close();
  const env = { DATABASE_URL: url, SECRET_KEY: WRONG };
  for (const [app, more] of [
    ['api', { PORT: '65535', BASE_ADDRESS: 'http://127.0.0.1:1' }],
    ['worker', {}],
  ] as const) {
    const { code, output } = await runToItsEnd(app, { ...env, ...more });
    expect([app, code]).toEqual([app, 2]);
    expect(output).toMatch(/^SECRET_KEY, .+ is not the one of the secrets in the database\. .+\n$/);
    expect(output).not.toContain(WRONG);
  }
});
