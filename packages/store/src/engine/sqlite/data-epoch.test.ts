import { expect, test } from 'vitest';
import { createDataEpoch } from './data-epoch.ts';

/** The versions of a file for two connections: the reader sees all commits, the writer those of other connections only. */
function openEpoch() {
  const versions = { all: 1, others: 1 };
  const epoch = createDataEpoch({ readVersion: () => versions.all, readOthersVersion: () => versions.others });
  const commit = (by: 'self' | 'another') => {
    versions.all += 1;
    if (by === 'another') versions.others += 1;
  };
  return { epoch, commit, versions, of: () => epoch.of('acme') };
}

test('a commit announced as changing no cached read is ignored', () => {
  const { epoch, commit, of } = openEpoch();
  const before = of();
  const ignoreCommit = epoch.expectNoChange();
  commit('self');
  ignoreCommit();
  epoch.expire();
  expect([epoch.poll(), of()]).toEqual([before, before]);
});

test('a commit is seen in a later turn of the event loop', () => {
  const { epoch, commit, of } = openEpoch();
  const before = of();
  epoch.expire();
  expect(of()).toBe(before);
  commit('another');
  expect(of()).toBe(before);
  epoch.expire();
  expect(of()).not.toBe(before);
});

test('a commit of another connection before, during or after an ignored one is not ignored', () => {
  for (const stage of ['before', 'beside', 'after']) {
    const { epoch, commit, of } = openEpoch();
    const before = of();
    if (stage === 'before') commit('another');
    const ignoreCommit = epoch.expectNoChange();
    commit('self');
    if (stage === 'beside') commit('another');
    ignoreCommit();
    if (stage === 'after') commit('another');
    epoch.expire();
    expect(of()).not.toBe(before);
    expect(epoch.poll()).not.toBe(before);
  }
});

test('a commit whose version cannot be read is not ignored', () => {
  const { epoch, commit, versions, of } = openEpoch();
  const before = of();
  const ignoreCommit = epoch.expectNoChange();
  commit('self');
  Object.defineProperty(versions, 'others', {
    get: () => {
      throw new Error('away');
    },
  });
  ignoreCommit();
  epoch.expire();
  expect(of()).not.toBe(before);
});

test('no epoch is known while the version cannot be read', () => {
  const { versions, of } = openEpoch();
  Object.defineProperty(versions, 'all', {
    get: () => {
      throw new Error('away');
    },
  });
  expect(of()).toBeNull();
});
