import { expect, test } from 'vitest';
import { createSqliteReadCache } from './read-cache.ts';

/** The versions of a file for two connections: the reader sees all commits, the writer those of other connections only. */
function makeCache() {
  const versions = { all: 1, others: 1 };
  const cache = createSqliteReadCache({ readVersion: () => versions.all, readOthersVersion: () => versions.others });
  const value = { text: 'old' };
  const read = cache.cached(
    () => ({ ...value }),
    async (attempt) => attempt(),
  );
  const commit = (by: 'self' | 'another') => {
    versions.all += 1;
    if (by === 'another') versions.others += 1;
  };
  return { cache, value, commit, read: () => read('acme', 'c-1'), versions };
}

test('a commit announced as changing no cached result is ignored', async () => {
  const { cache, commit, read } = makeCache();
  const polled = cache.poll();
  const known = await read();
  const ignoreCommit = cache.expectNoChange();
  commit('self');
  ignoreCommit();
  expect(cache.poll()).toBe(polled);
  expect(read()).toBe(known);
});

test('a later turn of the event loop reads again only after a commit', async () => {
  const { cache, value, commit, read } = makeCache();
  const known = await read();
  value.text = 'new';
  cache.expire();
  expect(await read()).toBe(known);
  commit('another');
  expect(await read()).toBe(known);
  cache.expire();
  expect(await read()).toEqual({ text: 'new' });
});

test('a commit of another connection before, during or after it is not ignored', async () => {
  for (const stage of ['before', 'beside', 'after']) {
    const { cache, value, commit, read } = makeCache();
    const polled = cache.poll();
    await read();
    value.text = 'new';
    if (stage === 'before') commit('another');
    const ignoreCommit = cache.expectNoChange();
    commit('self');
    if (stage === 'beside') commit('another');
    ignoreCommit();
    if (stage === 'after') commit('another');
    cache.expire();
    expect(await read()).toEqual({ text: 'new' });
    expect(cache.poll()).not.toBe(polled);
  }
});

test('a commit whose version cannot be read is not ignored', async () => {
  const { cache, value, commit, read, versions } = makeCache();
  await read();
  const ignoreCommit = cache.expectNoChange();
  commit('self');
  value.text = 'new';
  Object.defineProperty(versions, 'others', {
    get: () => {
      throw new Error('away');
    },
  });
  ignoreCommit();
  cache.expire();
  expect(await read()).toEqual({ text: 'new' });
});
