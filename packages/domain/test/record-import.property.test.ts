import { coverage, runs } from '@access-admin/test-depth';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TimedAccessRef } from '../src/access/model/records.ts';
import { planImport } from '../src/import/plan.ts';
import { recordImport } from '../src/import/record-changes.ts';
import type { StoredKind } from '../src/import/records.ts';
import type { AuditChange, ResourceChange } from '../src/record/audit/event.ts';
import { imports } from './import-arbitraries.ts';
import { applyPlan, gather, identityRecord, linesOf, storedIdentity, type World, worldOf } from './import-world.ts';
import { APPLICATION, SMALL_WORLD } from './small-world.ts';

type Shown = Map<string, Record<string, unknown>>;

const KINDS: Readonly<Record<StoredKind, string>> = {
  entitlement: 'ENTITLEMENT',
  accessProfile: 'ACCESS_PROFILE',
  role: 'ROLE',
  identityProfile: 'AUTH_PROFILE',
  source: 'SOURCE',
  identity: 'IDENTITY',
  account: 'ACCOUNT',
  sodPolicy: 'SOD_POLICY',
  control: 'CONTROL',
};

/** Every record of a world as the log shows it, by type and id. */
function shownIn({ stored, uiMetadata, branding, signIn }: World): Shown {
  const shown: Shown = new Map([
    ['UI_METADATA tenant', { ...uiMetadata }],
    ['BRANDING tenant', { ...branding }],
    ['LOCKOUT_CONFIG tenant', { ...signIn.lockout }],
    ['SESSION_CONFIG tenant', { ...signIn.session }],
    ['NETWORK_CONFIG tenant', { ...signIn.network }],
  ]);
  for (const [kind, type] of Object.entries(KINDS) as [StoredKind, string][])
    for (const [id, record] of stored[kind]) {
      const { authProfile = {}, ...fields } = record as { readonly authProfile?: object };
      shown.set(`${type} ${id}`, { ...fields, ...authProfile });
    }
  return shown;
}

const keyOf = (ref: TimedAccessRef) => JSON.stringify([ref.type, ref.id, ref.start, ref.end]);

/** Applies the events of an import to what was there; every value before a change must be the one that was there. */
function replay(before: Shown, events: readonly ResourceChange[]): Shown {
  const shown: Shown = new Map([...before].map(([key, record]) => [key, { ...record }]));
  for (const { resource, changes, members } of events) {
    if (resource.type === 'ACCESS_MODEL') continue;
    expect(changes.length).toBeGreaterThan(0);
    expect(members).toEqual(resource.type === 'IDENTITY' ? changes.map(({ field }) => field) : undefined);
    for (const change of changes) {
      if (resource.type === 'IDENTITY') replayIdentity(shown, change);
      else replayField(shown, resource.type === 'AUTH_USER' ? 'IDENTITY' : resource.type, String(resource.id), change);
    }
    const isGone = changes.some(({ field, after }) => field === 'id' && after === null);
    if (isGone) shown.delete(`${resource.type} ${resource.id}`);
  }
  return shown;
}

function replayField(shown: Shown, type: string, id: string, { field, before, after }: AuditChange): void {
  const key = `${type} ${id}`;
  const record = shown.get(key) ?? {};
  expect(record[field] ?? null).toEqual(before);
  expect(after).not.toEqual(before);
  shown.set(key, { ...record, [field]: after });
}

function replayIdentity(shown: Shown, { field: id, before, after, added = [], removed = [] }: AuditChange): void {
  const key = `IDENTITY ${id}`;
  const record: Record<string, unknown> = { access: [], ...shown.get(key) };
  for (const [name, value] of Object.entries(before ?? {})) expect(record[name]).toEqual(value);
  const held = record['access'] as readonly TimedAccessRef[];
  const keys = new Set(held.map(keyOf));
  const lost = new Set(removed.map(keyOf));
  for (const ref of removed) expect(keys.has(keyOf(ref))).toBe(true);
  for (const ref of added) expect(keys.has(keyOf(ref))).toBe(false);
  expect(
    Object.keys(Object(before)).length + Object.keys(Object(after)).length + added.length + removed.length,
  ).not.toBe(0);
  if (after === null) shown.delete(key);
  else shown.set(key, { ...record, access: [...held.filter((ref) => !lost.has(keyOf(ref))), ...added], id, ...after });
}

/** Without what the log leaves out: values that are null, `modified` of policies, no capabilities, and that somebody is active. */
const normalized = (shown: Shown) =>
  new Map(
    [...shown].map(([key, { modified: _, ...record }]) => [
      key,
      Object.fromEntries(
        Object.entries(record)
          .filter(([name, value]) => value !== null && !(name === 'capabilities' && String(value) === ''))
          .filter(([name, value]) => name !== 'active' || value !== true)
          .map(([name, value]) => [
            name,
            name === 'access' ? (value as TimedAccessRef[]).map(keyOf).toSorted() : value,
          ]),
      ),
    ]),
  );

test('the events of an import tell everything that it changed, and nothing else', () => {
  let told = 0;
  let silent = 0;
  fc.assert(
    fc.property(imports, (steps) => {
      let world = SMALL_WORLD;
      for (const [step, records] of steps.entries()) {
        const lines = linesOf(...records);
        const base = gather(world, lines);
        const planned = planImport({
          records: lines,
          base,
          caller: APPLICATION,
          now: `2026-11-21T09:30:0${step}.000Z`,
        });
        if (!planned.ok) continue;
        const next = applyPlan(world, planned.value);
        const events = [...recordImport(planned.value, base)];
        expect(normalized(replay(shownIn(world), events))).toEqual(normalized(shownIn(next)));
        const names = events.map(({ resource: { type, id } }) => `${type} ${id}`);
        expect(new Set(names).size).toBe(names.length);
        if (events.length > 0)
          expect(events[0]?.changes).toEqual([{ field: 'counts', before: null, after: planned.value.counts }]);
        const isSame = JSON.stringify([...shownIn(world)].toSorted()) === JSON.stringify([...shownIn(next)].toSorted());
        if (isSame) expect(events).toEqual([]);
        told += Number(events.length > 0);
        silent += Number(events.length === 0);
        world = next;
      }
    }),
    runs(2000),
  );
  for (const count of [told, silent]) expect(count).toBeGreaterThan(coverage(10));
});

test('the same access in another order is told as an attribute', () => {
  const access = [
    { type: 'ENTITLEMENT', id: 'e-1' },
    { type: 'ENTITLEMENT', id: 'e-2' },
  ] as const;
  const world = worldOf({
    entitlement: access.map(({ id }) => ({ id, name: id, source: null })),
    identityProfile: [...SMALL_WORLD.stored.identityProfile.values()],
    identity: [storedIdentity('i-1', { access })],
  });
  const records = linesOf(identityRecord('i-1', { access: access.toReversed() }));
  const base = gather(world, records);
  const planned = planImport({ records, base, caller: APPLICATION, now: '2026-11-21T09:30:00.000Z' });
  const events = planned.ok ? [...recordImport(planned.value, base)] : [];
  expect(events[1]?.changes).toEqual([{ field: 'i-1', before: { access }, after: { access: access.toReversed() } }]);
});
