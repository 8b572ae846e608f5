import { coverage, runs } from '@access-admin/test-depth';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { planImport } from '../src/import/plan.ts';
import type { ImportPlan } from '../src/import/records.ts';
import { caller, imports, upsert } from './import-arbitraries.ts';
import { applyPlan, gather, identityRecord, linesOf, type World } from './import-world.ts';
import { importNaively } from './naive-import.ts';
import { APPLICATION, planOf, SMALL_WORLD } from './small-world.ts';

const countsOf = (counts: ImportPlan['counts']) =>
  new Map(
    Object.entries(counts).flatMap(([kind, byVerb]) =>
      Object.entries(byVerb).flatMap(([verb, count]): [string, number][] =>
        count === 0 ? [] : [[`${kind} ${verb}`, count]],
      ),
    ),
  );

/** Beside the records of the small world an identity that nobody but an application changes, with a profile of its own. */
const WORLD = applyPlan(
  SMALL_WORLD,
  planOf([
    { kind: 'identityProfile', id: 'ip-2', name: 'Programs' },
    identityRecord('i-3', { identityProfile: 'ip-2', capabilities: ['INTERNAL'] }),
  ]),
);

const rulebook = ({ stored }: World) => [stored.entitlement, stored.accessProfile, stored.role, stored.sodPolicy];

test('an import has the same result as its lines one by one', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(imports, caller, (steps, by) => {
      let world = WORLD;
      for (const [step, records] of steps.entries()) {
        const lines = linesOf(...records);
        const now = `2026-11-21T09:30:0${step}.000Z`;
        const expected = importNaively({ world, records: lines, caller: by, now });
        const actual = planImport({ records: lines, base: gather(world, lines, by.identityId), caller: by, now });
        seen.set(`${expected.refused}`, (seen.get(`${expected.refused}`) ?? 0) + 1);

        if (!actual.ok || expected.refused !== null) {
          const places = actual.ok ? [] : actual.failure.causes.map(({ at }) => Number(/^line (\d+)/.exec(at)?.[1]));
          expect([actual.ok ? null : actual.failure.type, [...new Set(places)].toSorted()]).toEqual([
            expected.refused,
            expected.refused === null ? [] : expected.lines,
          ]);
          continue;
        }
        const next = applyPlan(world, actual.value);
        expect(next).toEqual(expected.world);
        expect(countsOf(actual.value.counts)).toEqual(expected.counts);
        expect(actual.value.rulebookChanged).toBe(!isEqual(rulebook(world), rulebook(next)));
        world = next;
      }
    }),
    runs(3000),
  );
  // Every outcome occurs often enough. The rarest is expected about 87 times at full depth, with a standard deviation of 9.
  for (const outcome of ['null', 'ReferenceNotFound', 'Forbidden', 'Conflict'])
    expect(seen.get(outcome) ?? 0).toBeGreaterThan(coverage(30));
});

test('importing the same records again writes nothing', () => {
  fc.assert(
    fc.property(fc.array(upsert, { maxLength: 12 }), (records) => {
      const lines = linesOf(...records);
      const first = planImport({ records: lines, base: gather(SMALL_WORLD, lines), caller: APPLICATION, now: 'first' });
      if (!first.ok) return;
      const base = gather(applyPlan(SMALL_WORLD, first.value), lines);
      const second = planImport({ records: lines, base, caller: APPLICATION, now: 'second' });
      expect(second).toMatchObject({ ok: true, value: { uiMetadata: null, signIn: {}, rulebookChanged: false } });
      expect(second.ok ? Object.values(second.value.upserts).flat() : []).toEqual([]);
    }),
    runs(1000),
  );
});

const isEqual = (left: unknown, right: unknown): boolean => {
  try {
    expect(left).toEqual(right);
    return true;
  } catch {
    return false;
  }
};
