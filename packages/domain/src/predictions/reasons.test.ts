import { describe, expect, test } from 'vitest';
import { accessProfile, catalogueOf, entitlement, role } from '../../test/sod-world.ts';
import type { AccessRef } from '../access/model/records.ts';
import { gatherOrigins } from './path-origins.ts';
import { type AccessGraph, type AccessPath, linkAccess } from './reasons.ts';

function explainAccess(graph: AccessGraph, entitlements: ReadonlySet<string>) {
  const reasonFor = linkAccess(graph, gatherOrigins(graph, []), entitlements);
  return (id: string) => reasonFor(id, null);
}

const { accessProfiles, roles } = catalogueOf({
  entitlements: ['e', 'f'],
  accessProfiles: { a: ['e', 'e'], b: ['f', 'e'], r: ['e'] },
  roles: {
    r: { accessProfiles: ['b', 'a', 'a', 'gone'], entitlements: ['e', 'f'] },
    R: { accessProfiles: ['a'] },
  },
});

function explain(assignments: readonly AccessRef[], requested: readonly AccessRef[], wanted = 'e') {
  const byId = <T extends { readonly id: string }>(records: readonly T[]) =>
    new Map(records.map((each) => [each.id, each]));
  const graph = { assignments, requested, roles: byId(roles), accessProfiles: byId(accessProfiles) };
  const { via, viaMore } = explainAccess(graph, new Set([wanted]))(wanted);
  return [...via.map(shortly), ...(viaMore > 0 ? [viaMore] : [])];
}

const shortly = ({ source, path }: AccessPath) =>
  [source, ...path.map(({ type, id }) => `${type === 'ROLE' ? 'role' : 'profile'} ${id}`)].join(' > ');

describe('the reason for an entitlement', () => {
  test('is an empty path where it is held or requested directly, and each once', () => {
    expect(explain([entitlement('e'), entitlement('e')], [entitlement('e'), entitlement('f')])).toEqual([
      'ASSIGNED',
      'REQUESTED',
    ]);
  });

  test('names each bundle on the way, under its name', () => {
    const graph = {
      assignments: [role('R')],
      requested: [],
      roles: new Map([['R', { id: 'R', name: 'Clerk', accessProfiles: ['a'], entitlements: [] }]]),
      accessProfiles: new Map([['a', { id: 'a', name: 'Ledger', entitlements: ['e'] }]]),
    };
    expect(explainAccess(graph, new Set(['e']))('e')).toEqual({
      via: [
        {
          source: 'ASSIGNED',
          path: [
            { type: 'ROLE', id: 'R', name: 'Clerk' },
            { type: 'ACCESS_PROFILE', id: 'a', name: 'Ledger' },
          ],
        },
      ],
      viaMore: 0,
    });
  });

  test('has the shortest paths first, then those with the first ids, then what is assigned', () => {
    expect(
      explain([role('r'), role('R')], [role('R'), accessProfile('r'), accessProfile('a'), entitlement('e')]),
    ).toEqual([
      'REQUESTED',
      'REQUESTED > profile a',
      'ASSIGNED > role r',
      'REQUESTED > profile r',
      'ASSIGNED > role R > profile a',
      'REQUESTED > role R > profile a',
      'ASSIGNED > role r > profile a',
      'ASSIGNED > role r > profile b',
    ]);
  });

  test('leads through nothing that is not there', () => {
    expect(explain([role('none'), accessProfile('none')], [role('R')], 'f')).toEqual([]);
  });

  test('shows ten paths and counts the rest', () => {
    const many = Array.from({ length: 12 }, (_, at) => `p-${String(at).padStart(2, '0')}`);
    const graph = {
      assignments: many.map(accessProfile),
      requested: many.toReversed().map(accessProfile),
      roles: new Map(),
      accessProfiles: new Map(many.map((id) => [id, { id, name: id, entitlements: ['e'] }])),
    };
    const { via, viaMore } = explainAccess(graph, new Set(['e']))('e');
    expect(viaMore).toBe(14);
    expect(via.map(shortly)).toEqual(
      many.slice(0, 5).flatMap((id) => [`ASSIGNED > profile ${id}`, `REQUESTED > profile ${id}`]),
    );
  });
});

describe('with windows, the reason for an entitlement', () => {
  const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString();
  const window = (from: number, to: number) => ({ start: day(from), end: day(to) });
  const starts = Array.from({ length: 10 }, (_, at) => Date.parse(day(at)));
  const assigned = (id: string, from: number, to: number) => ({ ...accessProfile(id), ...window(from, to) });
  const graph = {
    assignments: [assigned('a', 1, 2), assigned('b', 4, 5), assigned('b', 7, 8), assigned('r', 6, 7)],
    requested: [{ ...entitlement('e'), ...window(3, 4) }],
    roles: new Map(),
    accessProfiles: new Map(accessProfiles.map((each) => [each.id, each])),
  };
  const origins = gatherOrigins(graph, starts);
  const reasonFor = linkAccess(graph, origins, new Set(['e']));
  /** The paths in a violation that lasts in these runs of intervals: the first of each, and the one after its last. */
  const during = (...runs: readonly number[]) => reasonFor('e', origins.contributingIn(runs)).via.map(shortly);

  test.each<[string, readonly number[], readonly string[]]>([
    ['before all windows', [0, 1], []],
    ['in the only window of a profile', [1, 2], ['ASSIGNED > profile a']],
    ['where one ends and another begins', [2, 4], ['REQUESTED']],
    ['in the second of two windows', [7, 9], ['ASSIGNED > profile b']],
    ['in the second of two runs', [0, 1, 4, 5], ['ASSIGNED > profile b']],
    ['in the third of three runs', [0, 1, 2, 3, 6, 7], ['ASSIGNED > profile r']],
    ['in several runs', [1, 2, 3, 4, 6, 7], ['REQUESTED', 'ASSIGNED > profile a', 'ASSIGNED > profile r']],
    ['after all windows', [8, 10], []],
  ])('has the paths that contribute %s', (_, runs, paths) => {
    expect(during(...runs)).toEqual(paths);
    // Reasons are kept: another violation before it changes nothing.
    expect([during(1, 2), during(...runs)]).toEqual([['ASSIGNED > profile a'], paths]);
  });
});
