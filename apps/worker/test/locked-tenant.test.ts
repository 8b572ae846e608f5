import { createTestDatabase, holdTransaction } from '@access-admin/harness';
import { openStore } from '@access-admin/store';
import { expect, test } from 'vitest';
import { wait } from '../src/leased/wait.ts';
import { driveLoop } from './drive-loop.ts';
import { enqueueAll, migrate, newCheck } from './sample-store.ts';

test('checks of other tenants end while a long transaction numbers events of one', async () => {
  const { url, remove } = await createTestDatabase(migrate);
  const store = await openStore(url);
  const other = await holdTransaction(url, `insert into event_head (tenant, sequence, removed_to) values ('a', 1, 0)`);
  const loop = driveLoop(store, { nowMs: 0 }, { now: Date.now, wait });
  try {
    const stateOf = async (tenant: string, id: string) => (await store.checks.find(tenant, id))?.state;
    for (const id of ['r-1', 'r-2', 'r-3']) {
      await enqueueAll(store, [newCheck(id, { tenant: 'a' }), newCheck(id, { tenant: 'b' })]);
      await expect.poll(() => stateOf('b', id)).not.toBe('PENDING');
      expect(await stateOf('a', id)).toBe('PENDING');
    }
    await other.commit();
    for (const id of ['r-1', 'r-2', 'r-3']) await expect.poll(() => stateOf('a', id)).not.toBe('PENDING');
    expect(loop.logged.filter((line) => line.includes('"level":50'))).toEqual([]);
  } finally {
    loop.stop();
    await loop.ended;
    await store.close();
    await remove();
  }
});
