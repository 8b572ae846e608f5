import { expect, test } from 'vitest';
import { cacheRead } from './read-cache.ts';

/** A cached read of rows by tenant and id that counts its reads. */
function openCounted() {
  const rows = new Map<string, { readonly id: string }>();
  const readIds: string[] = [];
  const epoch: { of: number | null } = { of: 1 };
  const find = cacheRead(
    () => epoch.of,
    async (tenant, id) => {
      readIds.push(`${tenant}/${id}`);
      return rows.get(id) ?? null;
    },
  );
  return { rows, readIds, epoch, find };
}

test('a row is read once in each epoch, and returned without a promise after that', async () => {
  const { rows, readIds, epoch, find } = openCounted();
  const row = { id: 'a' };
  rows.set('a', row);
  expect([await find('acme', 'a'), find('acme', 'a')]).toEqual([row, row]);
  epoch.of = 2;
  expect(find('acme', 'a')).toBeInstanceOf(Promise);
  expect(readIds).toEqual(['acme/a', 'acme/a']);
});

test('no key that is read has a NUL', async () => {
  const { readIds, find } = openCounted();
  await find('ac\0me', 'a\0');
  expect(readIds).toEqual(['ac\ufffdme/a\ufffd']);
});

test('reads of one row share one read, but not that it found none', async () => {
  const { rows, readIds, find } = openCounted();
  const earlier = find('acme', 'a');
  const row = { id: 'a' };
  rows.set('b', row);
  expect(await Promise.all([find('acme', 'b'), find('acme', 'b'), find('acme', 'b')])).toEqual([row, row, row]);
  rows.set('a', row);
  expect(await Promise.all([earlier, find('acme', 'a')])).toEqual([null, row]);
  expect(readIds).toEqual(['acme/a', 'acme/b', 'acme/a']);
});

test('a failed read is not kept', async () => {
  const outcomes = [Promise.reject(new Error('away')), Promise.resolve({ id: 'a' })];
  const find = cacheRead(
    () => 1,
    () => outcomes.shift() ?? Promise.resolve(null),
  );
  await expect(find('acme', 'a')).rejects.toThrow('away');
  expect(await find('acme', 'a')).toEqual({ id: 'a' });
});

test('a row that begins to exist within an epoch is found by the next read', async () => {
  const { rows, find } = openCounted();
  expect(await find('acme', 'a')).toBeNull();
  rows.set('a', { id: 'a' });
  expect(await find('acme', 'a')).toEqual({ id: 'a' });
});

test('every read goes to the database while the epoch is not known', async () => {
  const { rows, readIds, epoch, find } = openCounted();
  rows.set('a', { id: 'a' });
  epoch.of = null;
  await find('acme', 'a');
  await find('acme', 'a');
  expect(readIds).toHaveLength(2);
});

test('a row that was read before the end of an epoch, and arrives after it, is read again', async () => {
  const arrival = Promise.withResolvers<{ readonly text: string }>();
  const reads = [arrival.promise, Promise.resolve({ text: 'new' })];
  let epoch = 1;
  const find = cacheRead(
    () => epoch,
    async () => (await reads.shift()) ?? null,
  );
  const early = find('acme', 'a');
  epoch = 2;
  arrival.resolve({ text: 'old' });
  expect(await early).toEqual({ text: 'old' });
  expect(await find('acme', 'a')).toEqual({ text: 'new' });
});

test('no two pairs of tenant and id share a result', async () => {
  const { rows, readIds, find } = openCounted();
  rows.set('1', { id: '1' });
  rows.set('11', { id: '11' });
  await find('a1', '1');
  await find('a', '11');
  expect(readIds).toEqual(['a1/1', 'a/11']);
});
