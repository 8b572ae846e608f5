import { expect, test } from 'vitest';
import type { ChangedTenants } from './changed-tenants.ts';
import { rememberTurns } from './remembered-turns.ts';

/** Tenants of which one was claimed, and looks at every shard that the test ends. */
async function openClaimed() {
  const clock = { nowMs: 0 };
  const looks: PromiseWithResolvers<readonly { tenant: string; hasAlone: boolean }[]>[] = [];
  const changedTenants: ChangedTenants = {
    subscribe: () => {},
    wake: () => {},
    now: () => clock.nowMs,
    unlessAway: (work) => work,
    unlessBlocked: (work) => work,
  };
  const tenants = rememberTurns(changedTenants, {
    arisesFrom: ['checks'],
    listAll: () => {
      const look = Promise.withResolvers<readonly { tenant: string; hasAlone: boolean }[]>();
      looks.push(look);
      return look.promise;
    },
  });
  const first = tenants.list(0);
  looks[0]?.resolve([{ tenant: 'acme', hasAlone: false }]);
  expect(await first).toEqual([{ tenant: 'acme', hasAlone: false }]);
  tenants.remove('acme');
  /** The tenants that wait a second later. */
  const afterASecond = async () => {
    clock.nowMs += 1_000;
    await tenants.list(clock.nowMs);
    return (await tenants.list(clock.nowMs)).map(({ tenant }) => tenant);
  };
  return { looks, afterASecond };
}

test('while a look hangs, a tenant of which something was claimed waits again after each second', async () => {
  const { looks, afterASecond } = await openClaimed();
  expect(await afterASecond()).toEqual([]);
  expect(looks).toHaveLength(2);
  expect(await afterASecond()).toEqual(['acme']);
  expect(looks).toHaveLength(2);
});

test('after a look that has failed, it waits again', async () => {
  const { looks, afterASecond } = await openClaimed();
  expect(await afterASecond()).toEqual([]);
  looks[1]?.reject(new Error('the node was lost'));
  await expect.poll(afterASecond).toEqual(['acme']);
});
