import { expect, test } from 'vitest';
import { createPostgresReadCache } from './read-cache.ts';

/** A cache of rows by id that counts its reads. */
function openCounted(isFresh = () => true) {
  const rows = new Map<string, { readonly id: string }>();
  const readIds: string[] = [];
  const cache = createPostgresReadCache(isFresh);
  const read = cache.cached(async ({ id }) => {
    readIds.push(id);
    return rows.get(id) ?? null;
  });
  return { rows, readIds, cache, find: async (id: string) => read('acme', id) };
}

test('a row is read once, until its tenant changes', async () => {
  const { rows, readIds, cache, find } = openCounted();
  const row = { id: 'a' };
  rows.set('a', row);
  expect([await find('a'), await find('a')]).toEqual([row, row]);
  expect(readIds).toEqual(['a']);
  cache.forget(['other']);
  await find('a');
  expect(readIds).toEqual(['a']);
  for (const changed of ['all', ['acme']] as const) {
    readIds.length = 0;
    cache.forget(changed);
    await find('a');
    expect(readIds).toEqual(['a']);
  }
});

test('of a result, what is to be kept stays', async () => {
  const cache = createPostgresReadCache(() => true);
  const whole = { id: 'a', rest: 'long' };
  const read = cache.cached<Partial<typeof whole>>(
    async () => whole,
    ({ id = '' }) => ({ id }),
  );
  expect([await read('acme', 'a'), await read('acme', 'a')]).toEqual([whole, { id: 'a' }]);
});

test('a row that begins to exist without a signal is found by the next read', async () => {
  const { rows, find } = openCounted();
  expect(await find('a')).toBeNull();
  rows.set('a', { id: 'a' });
  expect(await find('a')).toEqual({ id: 'a' });
});

test('every read goes to the database while the cache may be stale', async () => {
  const { rows, readIds, find } = openCounted(() => false);
  rows.set('a', { id: 'a' });
  await find('a');
  await find('a');
  expect(readIds).toEqual(['a', 'a']);
});

test('a row that was read before a change of its tenant, and arrives after it, is read again', async () => {
  const arrival = Promise.withResolvers<{ readonly text: string }>();
  const reads = [arrival.promise, Promise.resolve({ text: 'new' })];
  const cache = createPostgresReadCache(() => true);
  const read = cache.cached(async () => (await reads.shift()) ?? null);
  const early = read('acme', 'a');
  cache.forget(['acme']);
  arrival.resolve({ text: 'old' });
  expect(await early).toEqual({ text: 'old' });
  expect(await read('acme', 'a')).toEqual({ text: 'new' });
});
