import { expect, test } from 'vitest';
import { createSqliteReadCache } from './read-cache.ts';

/** The versions of a file as two connections see them: who reads sees all commits, who writes those of others only. */
function makeCache() {
  const versions = { all: 1, others: 1 };
  const cache = createSqliteReadCache({ readVersion: () => versions.all, readOthersVersion: () => versions.others });
  const value = { text: 'old' };
  const read = cache.remember(
    () => ({ ...value }),
    async (attempt) => attempt(),
  );
  const commit = (by: 'self' | 'another') => {
    versions.all += 1;
    if (by === 'another') versions.others += 1;
  };
  return { cache, value, commit, read: () => read('acme', 'c-1'), versions };
}

test('a commit that was announced as one of nothing remembered is passed over', async () => {
  const { cache, commit, read } = makeCache();
  const looked = cache.look();
  const known = await read();
  const passOver = cache.expectNothing();
  commit('self');
  passOver();
  expect(cache.look()).toBe(looked);
  expect(read()).toBe(known);
});

test('one of another connection before it, beside it or after it is not', async () => {
  for (const moment of ['before', 'beside', 'after']) {
    const { cache, value, commit, read } = makeCache();
    const looked = cache.look();
    await read();
    value.text = 'new';
    if (moment === 'before') commit('another');
    const passOver = cache.expectNothing();
    commit('self');
    if (moment === 'beside') commit('another');
    passOver();
    if (moment === 'after') commit('another');
    cache.expire();
    expect(await read()).toEqual({ text: 'new' });
    expect(cache.look()).not.toBe(looked);
  }
});

test('neither is a commit whose version cannot be read', async () => {
  const { cache, value, commit, read, versions } = makeCache();
  await read();
  const passOver = cache.expectNothing();
  commit('self');
  value.text = 'new';
  Object.defineProperty(versions, 'others', {
    get: () => {
      throw new Error('away');
    },
  });
  passOver();
  cache.expire();
  expect(await read()).toEqual({ text: 'new' });
});
