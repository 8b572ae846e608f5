import { createClient } from '@access-admin/client';
import { openTestService } from '@access-admin/harness';
import { expect, test } from 'vitest';
import { fetchToken } from './fetch-token.ts';
import { FORBIDDEN_GRANT, SMALL_COMPANY, VIOLATION } from './small-company.ts';

const CHECKS = 300;

test('a restart keeps data, checks and tokens', async () => {
  await using service = await openTestService();
  const first = await service.startApi();
  await first.client.accessModel.import(SMALL_COMPANY);
  const { requestId } = await first.client.sodViolations.check(FORBIDDEN_GRANT);
  const token = await fetchToken(first.baseAddress, service.credentials);
  expect(await first.stop()).toMatchObject({ code: 0 });

  const second = await service.startApi({ PORT: new URL(first.baseAddress).port });
  service.startWorker();
  const withOldToken = createClient({ baseAddress: second.baseAddress, token });
  expect(await withOldToken.sodViolations.predict(FORBIDDEN_GRANT)).toMatchObject({ violationContexts: [VIOLATION] });
  expect(await withOldToken.sodViolations.waitForCheck(requestId)).toMatchObject({ state: 'SUCCESS' });
});

test('two APIs on one file serve the same data and accept the same tokens', async () => {
  await using service = await openTestService();
  const left = await service.startApi();
  const right = await service.startApi();
  service.startWorker();
  service.startWorker();
  await left.client.accessModel.import(SMALL_COMPANY);
  const violated = () =>
    right.client.sodViolations.predict(FORBIDDEN_GRANT).then(({ violationContexts }) => violationContexts.length);
  await expect.poll(violated, { interval: 50 }).toBe(1);
  await left.client.accessModel.import([{ kind: 'sodPolicy', id: 'p-1', delete: true }]);
  await expect.poll(violated, { interval: 50 }).toBe(0);
  const { requestId } = await left.client.sodViolations.check(FORBIDDEN_GRANT);
  expect(await right.client.sodViolations.waitForCheck(requestId)).toMatchObject({ state: 'SUCCESS' });
});

test('every accepted check has one result, although workers are killed in the middle of it', async () => {
  await using service = await openTestService();
  const left = await service.startApi();
  const right = await service.startApi();
  await left.client.accessModel.import(SMALL_COMPANY);
  const workerEnv = { CHECK_LEASE_MS: '1000' };
  const doomed = [service.startWorker(workerEnv), service.startWorker(workerEnv)];
  const accepted: string[] = [];
  for (let at = 0; at < CHECKS; at++) {
    const { client } = at % 2 === 0 ? left : right;
    accepted.push(
      (await client.sodViolations.check({ ...FORBIDDEN_GRANT, clientMetadata: { at: String(at) } })).requestId,
    );
    if (at === CHECKS / 3) await doomed[0]?.stop('SIGKILL');
    if (at === CHECKS / 2) await doomed[1]?.stop('SIGKILL');
  }
  service.startWorker(workerEnv);
  const results = await Promise.all(accepted.map((requestId) => right.client.sodViolations.waitForCheck(requestId)));
  expect(new Set(accepted).size).toBe(CHECKS);
  expect(results.map(({ state }) => state)).toEqual(accepted.map(() => 'SUCCESS'));
  expect(results.map(({ violationCheckResult: { clientMetadata } }) => clientMetadata?.['at'])).toEqual(
    accepted.map((_, at) => String(at)),
  );
  // A result never changes again.
  const again = await Promise.all(accepted.map((requestId) => left.client.sodViolations.getCheck(requestId)));
  expect(again).toEqual(results);
});
