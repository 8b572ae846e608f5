import { createTestDatabase, openService, startPgbouncer, whyNoPgbouncer } from '@access-admin/harness';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sectionBlocks } from './pages.ts';
import { FORBIDDEN_GRANT, SMALL_COMPANY } from './small-company.ts';

const [SETTINGS = ''] = sectionBlocks('docs/operations/postgresql.md', 'A pooler', 'ini');
const REQUESTS = 300;

/** A service whose processes reach their database by a pooler with these settings. */
async function openPooled(settings: string) {
  const database = await createTestDatabase();
  onTestFinished(() => database.remove());
  const pooler = await startPgbouncer(database.url, settings);
  onTestFinished(() => pooler[Symbol.asyncDispose]());
  const service = openService({ databaseUrl: pooler.url });
  onTestFinished(() => service[Symbol.asyncDispose]());
  return service;
}

describe('behind PgBouncer', () => {
  beforeEach(({ skip }) => {
    if (whyNoPgbouncer !== null) skip(whyNoPgbouncer);
  });

  test('the settings of the page work: no request fails, and processes learn of commits of each other', async () => {
    expect(SETTINGS).toContain('pool_mode = session');
    const service = await openPooled(SETTINGS);
    const left = await service.startApi();
    const right = await service.startApi();
    service.startWorker();
    service.startWorker();
    await left.client.accessModel.import(SMALL_COMPANY);
    const violated = () =>
      right.client.sodViolations.predict(FORBIDDEN_GRANT).then(({ violationContexts }) => violationContexts.length);
    await expect.poll(violated, { interval: 50 }).toBe(1);
    const requests = Array.from({ length: REQUESTS }, async (_, at) => {
      const { client } = at % 2 === 0 ? left : right;
      if (at % 3 === 0) return client.sodViolations.predict(FORBIDDEN_GRANT);
      if (at % 3 === 1) return client.sodPolicies.patch('p-1', [{ op: 'replace', path: '/name', value: `n ${at}` }]);
      const { requestId } = await client.sodViolations.check(FORBIDDEN_GRANT);
      return client.sodViolations.waitForCheck(requestId);
    });
    const settled = await Promise.allSettled(requests);
    expect(settled.filter(({ status }) => status === 'rejected')).toEqual([]);
    await left.client.accessModel.import([{ kind: 'sodPolicy', id: 'p-1', delete: true }]);
    await expect.poll(violated, { interval: 50 }).toBe(0);
  });

  test.each(['transaction', 'statement'])('in %s mode no process starts, and says what to set', async (mode) => {
    const service = await openPooled(SETTINGS.replace('session', mode));
    const refused = service.startWorker();
    expect(await refused.ended).toMatchObject({ code: 2 });
    expect(refused.output()).toContain('set pool_mode = session there, or name the PostgreSQL server itself');
    await expect(service.startApi()).rejects.toThrow('set pool_mode = session');
  });
});
