import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ArisingWork, ChangedTenants } from '../engine/changed-tenants.ts';
import { compareText, createTenantSearch } from './tenant-search.ts';

interface Candidate {
  readonly tenant: string;
  readonly since: string;
}

/** A search over work by tenant, which events bring too, with the looks that it takes. */
function open() {
  const work = new Map<string, readonly string[]>();
  const looks: string[] = [];
  const clock = { ms: 0, wakes: 0 };
  const listing = { gate: Promise.resolve() };
  const failing = new Set<string>();
  let tell: Parameters<ChangedTenants['subscribe']>[0] = () => {};
  const candidatesOf = (tenant: string): readonly Candidate[] =>
    (work.get(tenant) ?? []).map((since) => ({ tenant, since }));
  const find = createTenantSearch<null, Candidate>({
    changedTenants: {
      subscribe: (listener) => {
        tell = listener;
      },
      tell: () => {},
      now: () => clock.ms,
      unlessAway: (work) => work,
      unlessBlocked: (work) => work,
      wake: () => {
        clock.wakes += 1;
      },
    },
    arisesFrom: ['any', 'events'],
    read: async (_, scope) => {
      looks.push('tenant' in scope ? scope.tenant : 'all');
      if ('tenant' in scope) {
        if (failing.delete(scope.tenant)) throw new Error('away');
        return candidatesOf(scope.tenant);
      }
      await listing.gate;
      return [...work.keys()].flatMap(candidatesOf);
    },
    compare: (one, other) => compareText(one.since, other.since),
  });
  const commit = (tenant: string, ...times: readonly string[]) => {
    work.set(tenant, times);
    tell(tenant, 'any');
  };
  const tellOf = (tenant: string, arising: ArisingWork) => tell(tenant, arising);
  const search = async (limit = 10) => (await find(null, limit)).map(({ tenant, since }) => `${tenant}${since}`);
  const taken = () => looks.splice(0);
  return { work, clock, listing, failing, commit, tellOf, search, taken };
}

test('on one server, one look at all tenants finds candidates', async () => {
  const find = createTenantSearch<null, Candidate>({
    changedTenants: null,
    arisesFrom: ['any'],
    read: async (_, scope) => [{ tenant: JSON.stringify(scope), since: '1' }],
    compare: () => 0,
  });
  expect(await find(null, 3)).toEqual([{ tenant: '{"limit":3}', since: '1' }]);
});

test('what is there at first is found by a look at all, and what is told of by a look at its tenant alone', async () => {
  const { work, commit, search, taken } = open();
  work.set('a', ['1']);
  expect(await search()).toEqual(['a1']);
  expect(taken()).toEqual(['all', 'a']);
  work.delete('a');
  expect(await search()).toEqual([]);
  expect(taken()).toEqual(['a']);
  expect(await search()).toEqual([]);
  expect(taken()).toEqual([]);
  commit('b', '2');
  expect(await search()).toEqual(['b2']);
  expect(taken()).toEqual(['b']);
});

test('a tenant is looked at for work that the search finds, and not for other work', async () => {
  const { tellOf, search, taken } = open();
  await search();
  taken();
  tellOf('a', 'checks');
  tellOf('b', 'register');
  expect(await search()).toEqual([]);
  expect(taken()).toEqual([]);
  tellOf('c', 'events');
  await search();
  expect(taken()).toEqual(['c']);
});

test('what nobody has told of is found within a second, and no claim waits for that', async () => {
  const { work, clock, listing, commit, search, taken } = open();
  await search();
  const slow = Promise.withResolvers<void>();
  listing.gate = slow.promise;
  work.set('lost', ['1']);
  clock.ms = 999;
  expect(await search()).toEqual([]);
  clock.ms = 1_000;
  commit('told', '2');
  expect(await search()).toEqual(['told2']);
  expect(taken()).toEqual(['all', 'all', 'told']);
  expect(clock.wakes).toBe(0);
  slow.resolve();
  await setImmediate();
  expect(clock.wakes).toBe(1);
  expect(await search()).toEqual(['lost1', 'told2']);
});

test('candidates come in the order of all tenants, and what is over the limit later', async () => {
  const { work, commit, search } = open();
  await search();
  commit('a', '3', '5');
  commit('b', '1');
  commit('c', '4');
  expect(await search(2)).toEqual(['b1', 'a3']);
  work.delete('b');
  expect(await search(2)).toEqual(['a3', 'c4']);
});

test('of many tenants each has its turn', async () => {
  const { commit, search } = open();
  await search();
  const names = Array.from({ length: 30 }, (_, at) => `t-${at}-`);
  for (const name of names) commit(name, '1');
  const found = new Set<string>();
  for (let claims = 0; claims < 4; claims++) for (const each of await search(8)) found.add(each);
  expect(found.size).toBe(30);
});

test('a tenant that cannot be looked at is looked at later', async () => {
  const { commit, failing, search } = open();
  await search();
  commit('a', '1');
  failing.add('a');
  await expect(search()).rejects.toThrow('away');
  expect(await search()).toEqual(['a1']);
});
