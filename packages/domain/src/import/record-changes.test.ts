import { describe, expect, test } from 'vitest';
import { gather, storedIdentity } from '../../test/import-world.ts';
import { planOf, SMALL_WORLD } from '../../test/small-world.ts';
import type { Identity } from '../access/model/records.ts';
import { IDENTITIES_OF_EVENT_MAX, IDENTITY_EVENT_LENGTH, recordImport } from './record-changes.ts';

const unchanged = planOf([]);

/** The ids that each event about identities tells of. */
function groupsOf(identities: readonly Identity[]): readonly (readonly string[])[] {
  const plan = { ...unchanged, upserts: { ...unchanged.upserts, identity: identities } };
  return [...recordImport(plan, gather(SMALL_WORLD, []))]
    .filter(({ resource }) => resource.type === 'IDENTITY')
    .map((event) => event.members ?? []);
}

/** The events of an import that writes one identity. */
const eventsOf = (identity: Identity) =>
  [
    ...recordImport({ ...unchanged, upserts: { ...unchanged.upserts, identity: [identity] } }, gather(SMALL_WORLD, [])),
  ].map(({ resource, changes }) => `${resource.type} ${changes.map(({ field }) => field).join()}`);

test('an import records capabilities of an identity apart from its attributes, where it has any', () => {
  expect(eventsOf(storedIdentity('new'))).toEqual(['ACCESS_MODEL counts', 'IDENTITY new']);
  expect(eventsOf(storedIdentity('new', { capabilities: ['HELPDESK'] }))).toEqual([
    'ACCESS_MODEL counts',
    'AUTH_USER capabilities',
    'IDENTITY new',
  ]);
});

const named = (length: number, at: number) => storedIdentity(`new-${at}`, { displayName: 'n'.repeat(length) });

describe('an event about identities', () => {
  test('tells of at most 1,000', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => named(1, at));
    expect(groupsOf(many(IDENTITIES_OF_EVENT_MAX)).map((ids) => ids.length)).toEqual([1_000]);
    expect(groupsOf(many(2 * IDENTITIES_OF_EVENT_MAX + 1)).map((ids) => ids.length)).toEqual([1_000, 1_000, 1]);
  });

  test('ends with the one that makes it too long', () => {
    const half = IDENTITY_EVENT_LENGTH / 2;
    expect(groupsOf([half, half, half, 1].map(named))).toEqual([
      ['new-0', 'new-1'],
      ['new-2', 'new-3'],
    ]);
  });
});
