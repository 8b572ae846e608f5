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
