import type { Store } from '@access-admin/store';
import { TENANT } from '../world/seed-population.ts';
import { ENTITLEMENTS_BY_NUMBER, NAMES, profileIdOf } from './people.ts';

const PAGES = 3;
const ROUNDS = 3;
const LIMIT = 250;

type List = Parameters<Store['lookUps']['list']>[0]['query'];
type Condition = List['conditions'][number];
type Place = Parameters<Store['lookUps']['list']>[1]['after'];

const name = (operator: Condition['operator'], value: string): Condition => ({
  field: 'name',
  operator,
  values: [value],
});

const SEARCHES: Readonly<Record<string, readonly Condition[]>> = {
  'all identities': [],
  'a part that everybody has': [{ field: 'email', operator: 'co', values: ['example.com'] }],
  'a part of a frequent name': [name('co', NAMES.frequent)],
  'a part of a middling name': [name('co', NAMES.middling)],
  'a rare name': [name('co', NAMES.rare)],
  'a part of two letters more': [name('co', `${NAMES.rare.slice(0, 3)}`)],
  'a part that no name has': [name('co', 'wxyz')],
  'begins with 1 letter': [name('sw', NAMES.frequent.slice(0, 1))],
  'begins with 3 letters': [name('sw', NAMES.middling.slice(0, 3))],
  'begins with 5 letters': [name('sw', NAMES.rare.slice(0, 5))],
  'a user name': [{ field: 'uid', operator: 'sw', values: [NAMES.rare.toLowerCase()] }],
  'an identity profile': [{ field: 'parent', operator: 'eq', values: [profileIdOf(3)] }],
  'a name within a profile': [
    name('co', NAMES.middling),
    { field: 'parent', operator: 'eq', values: [profileIdOf(3)] },
  ],
};

/** How long pages take, by the name of their search. */
export type PageTimes = ReadonlyMap<string, readonly number[]>;

/** The first pages of each search of identities by id and by name, and of the holders of some entitlements. */
export async function measureSearches({ lookUps }: Store): Promise<PageTimes> {
  const times = new Map<string, number[]>();
  const pages = async (title: string, read: (after: Place) => Promise<Place>) => {
    const own = times.get(title) ?? [];
    times.set(title, own);
    let after: Place = null;
    for (let page = 0; page < PAGES; page++) {
      const start = performance.now();
      after = await read(after);
      own.push(performance.now() - start);
      if (after === null) return;
    }
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [title, conditions] of Object.entries(SEARCHES))
      for (const field of ['id', 'name'] as const) {
        const list = {
          tenant: TENANT,
          kind: 'identity',
          query: { conditions, sorters: [{ field, descends: false }] },
        } as const;
        await pages(
          `${title}, by ${field}`,
          async (after) => (await lookUps.list(list, { limit: LIMIT, offset: 0, after })).next,
        );
      }
    for (const id of ENTITLEMENTS_BY_NUMBER)
      await pages(`holders of ${id}`, async (after) => {
        const page = await lookUps.listHolders(TENANT, { type: 'ENTITLEMENT', id }, { limit: LIMIT, offset: 0, after });
        return page?.next ?? null;
      });
  }
  return times;
}
