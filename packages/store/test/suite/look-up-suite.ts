import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLookUpStore } from '../../src/access/look-ups/store.ts';
import type { LookUpCondition, LookUpQuery, LookUpStore, Position, Total } from '../../src/index.ts';
import { openEngineDatabase } from '../engine-database.ts';
import { arbitraryText, meets, type Person } from '../look-up-oracle.ts';
import {
  accessProfile,
  deletion,
  entitlement,
  holds,
  identity,
  identityProfile,
  importAll,
  role,
} from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

// So small that few records take every way of reading.
const SMALL = { sampled: 4, examined: [3, 5], gathered: 6, counted: 12, identities: 4, furtherReads: 2 };

async function openSmall(engine: StoreEngine) {
  const opened = await openDatabase(engine);
  const database = await openEngineDatabase(opened.url);
  return {
    store: opened.store,
    lookUps: createLookUpStore(database, SMALL),
    [Symbol.asyncDispose]: async () => {
      await database.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

/** The ids of all pages of a list, and those of the first page. */
async function listAll(lookUps: LookUpStore, query: LookUpQuery, limit: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after: Position | null = null; ; ) {
    const { records, next }: Awaited<ReturnType<typeof list>> = await list(after);
    expect(records.length).toBeLessThanOrEqual(limit);
    ids.push(...records.map(({ id }) => id));
    if (next === null) return ids;
    after = next;
  }
  function list(from: Position | null) {
    return lookUps.list({ tenant: 'acme', kind: 'identity', query }, { limit, offset: 0, after: from });
  }
}

/** A count up to the bound is exact, and one beyond it a lower bound. */
function expectTotal({ count, isExact }: Total, expected: number): void {
  expect(isExact || expected > SMALL.counted).toBe(true);
  if (isExact) expect(count).toBe(expected);
  else expect(count > SMALL.counted && count <= expected).toBe(true);
}

const person = ({ id, ...fields }: Person) => ({ ...identity(id), ...fields });

const arbitraryPeople: fc.Arbitrary<readonly Person[]> = fc
  .array(
    fc.record({ displayName: arbitraryText(1, 8), uid: arbitraryText(1, 6), email: fc.option(arbitraryText(1, 8)) }),
    { minLength: 1, maxLength: 40 },
  )
  .map((all) => all.map((each, at) => ({ ...each, id: `i-${at}`, uid: `${at} ${each.uid}` })));

const arbitraryConditions: fc.Arbitrary<readonly LookUpCondition[]> = fc.array(
  fc.oneof(
    fc.record({
      field: fc.constantFrom('name' as const, 'uid' as const, 'email' as const),
      operator: fc.constant('co' as const),
      values: fc.tuple(arbitraryText(3, 4)),
    }),
    fc.record({
      field: fc.constantFrom('name' as const, 'uid' as const, 'email' as const),
      operator: fc.constantFrom('sw' as const, 'eq' as const),
      values: fc.tuple(arbitraryText(0, 3)),
    }),
  ),
  { minLength: 1, maxLength: 2 },
);

const COLUMN = { name: 'displayName', uid: 'uid', email: 'email' } as const;

/** The tests of look-ups. */
export function describeLookUps(engine: StoreEngine): void {
  describe('a search', () => {
    test('finds what a comparison of all texts finds, in every way of reading, before and after changes', async () => {
      await using opened = await openSmall(engine);
      const { store, lookUps } = opened;
      let present: readonly Person[] = [];
      await importAll(store, 'acme', [identityProfile('ip')]);
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            people: arbitraryPeople,
            queries: fc.array(arbitraryConditions, { minLength: 3, maxLength: 6 }),
          }),
          fc.constantFrom(1, 3, 100),
          async ({ people, queries }, limit) => {
            const gone = present.slice(people.length).map(({ id }) => deletion('identity', id));
            await importAll(store, 'acme', [...people.map(person), ...gone]);
            present = people;
            const parts = people.slice(0, 3).map(({ displayName: text }) => text.slice(0, 4));
            const own = parts.filter((part) => [...part].length > 2 && part.isWellFormed());
            const drawn = own.map((part): LookUpCondition[] => [{ field: 'name', operator: 'co', values: [part] }]);
            for (const conditions of [...queries, ...drawn]) {
              const expected = people
                .filter((each) =>
                  conditions.every((condition) =>
                    meets(each[COLUMN[condition.field as keyof typeof COLUMN]], condition),
                  ),
                )
                .map(({ id }) => id)
                .toSorted();
              expect(await listAll(lookUps, { conditions, sorters: [] }, limit)).toEqual(expected);
              const byName: LookUpQuery = { conditions, sorters: [{ field: 'name', descends: true }] };
              expect((await listAll(lookUps, byName, limit)).toSorted()).toEqual(expected);
              const total = await lookUps.count({ tenant: 'acme', kind: 'identity', conditions });
              if (conditions.length === 0) expect(total).toEqual({ count: expected.length, isExact: true });
              else expectTotal(total, expected.length);
              expect(await lookUps.count({ tenant: 'other', kind: 'identity', conditions })).toEqual({
                count: 0,
                isExact: true,
              });
            }
          },
        ),
        runs(30),
      );
    });
  });

  describe('holders', () => {
    test('are those that the assignments of all identities give, in every way of reading', async () => {
      await using opened = await openSmall(engine);
      const { store, lookUps } = opened;
      const target = { type: 'ENTITLEMENT', id: 'e-1' } as const;
      await importAll(store, 'acme', [
        ...['e-1', 'e-2'].map((id) => entitlement(id)),
        accessProfile('ap-1', ['e-1']),
        accessProfile('ap-2', ['e-2']),
        role('r-1', { accessProfiles: ['ap-1'], entitlements: [] }),
        role('r-2', { accessProfiles: ['ap-2'], entitlements: ['e-2'] }),
        identityProfile('ip'),
      ]);
      const giving = [holds('ENTITLEMENT', 'e-1'), holds('ACCESS_PROFILE', 'ap-1'), holds('ROLE', 'r-1')].flat();
      const others = [holds('ENTITLEMENT', 'e-2'), holds('ACCESS_PROFILE', 'ap-2'), holds('ROLE', 'r-2')].flat();
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.subarray([...giving, ...others]), { minLength: 40, maxLength: 40 }),
          fc.constantFrom(1, 2, 5, 100),
          fc.integer({ min: 1, max: 20 }),
          async (all, limit, every) => {
            // Where few hold it, the index is asked.
            const access = all.map((refs, at) =>
              at % every === 0 ? refs : refs.filter((ref) => others.includes(ref)),
            );
            const idOf = (at: number) => `i-${String(at).padStart(2, '0')}`;
            await importAll(
              store,
              'acme',
              access.map((refs, at) => identity(idOf(at), { access: refs })),
            );
            const expected = access
              .flatMap((refs, at) =>
                giving.filter((ref) => refs.includes(ref)).map(({ type }) => `${idOf(at)} ${type}`),
              )
              .toSorted();
            const found: string[] = [];
            for (let after: Position | null = null; ; ) {
              const page = await lookUps.listHolders('acme', target, { limit, offset: 0, after });
              if (page === null) throw new Error('There is no entitlement.');
              expect(page.records.length).toBeLessThanOrEqual(limit);
              found.push(...page.records.map(({ identity: { id }, via }) => `${id} ${via[0]?.type ?? 'ENTITLEMENT'}`));
              after = page.next;
              if (after === null) break;
            }
            expect(found.map((each) => each.slice(0, 4))).toEqual(expected.map((each) => each.slice(0, 4)));
            expect(found.toSorted()).toEqual(expected);
            expectTotal(await lookUps.countHolders('acme', target), expected.length);
          },
        ),
        runs(20),
      );
      expect(await lookUps.listHolders('other', target, { limit: 1, offset: 0, after: null })).toBeNull();
    });
  });
}
