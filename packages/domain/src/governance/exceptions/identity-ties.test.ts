import { coverage, seeds } from '@access-admin/test-depth';
import { describe, expect, test } from 'vitest';
import { storedIdentity } from '../../../test/import-world.ts';
import { createRandom } from '../../../test/random-sod-world.ts';
import { type IdentityTie, identitiesTied, tiedUntil, tiesToMaker } from './identity-ties.ts';

const NOW_MS = Date.parse('2026-11-21T09:30:00.000Z');
const hours = (count: number) => new Date(NOW_MS + count * 3_600_000).toISOString();
const NOW = hours(0);
const tie = (makerId: string, identityId: string, made: number): IdentityTie => ({
  makerId,
  identityId,
  made: hours(made),
});

describe('two identities are tied', () => {
  test.each([
    ['by what one did for the other', [tie('a', 'b', -1)], hours(23)],
    ['in either direction', [tie('b', 'a', -1)], hours(23)],
    [
      'by a third one that is tied to both, as long as both ties are young',
      [tie('c', 'a', -1), tie('c', 'b', -5)],
      hours(19),
    ],
    ['by a chain of ties', [tie('a', 'c', -3), tie('c', 'd', -2), tie('d', 'b', -1)], hours(21)],
    ['by the chain that holds longest', [tie('a', 'b', -20), tie('a', 'c', -2), tie('c', 'b', -3)], hours(21)],
    ['until 24 hours have passed', [tie('a', 'b', -24)], null],
    ['not by ties of others', [tie('a', 'c', -1), tie('d', 'b', -1)], null],
    ['not by what they do for themselves', [tie('a', 'a', -1), tie('b', 'b', -1)], null],
    ['not without ties', [], null],
  ])('%s', (_, ties, until) => {
    expect(tiedUntil(ties, ['a', 'b'], NOW)).toBe(until);
    expect(tiedUntil(ties.toReversed(), ['b', 'a'], NOW)).toBe(until);
  });

  test('never with themselves', () => {
    expect(tiedUntil([tie('a', 'b', -1)], ['a', 'a'], NOW)).toBeNull();
  });

  test('exactly while the ties that are still young connect them, in random histories', () => {
    const seen = { tied: 0, free: 0 };
    for (const seed of seeds(2_000)) {
      const below = createRandom(seed);
      const ids = ['a', 'b', 'c', 'd', 'e'];
      const draw = () => ids[below(ids.length)] ?? '';
      const ties = Array.from({ length: below(7) }, () => tie(draw(), draw(), -below(30)));
      // Walks from one identity to the other at an hour.
      const isTiedAt = (hour: number) => {
        const young = ties.filter(({ made }) => Date.parse(made) + 24 * 3_600_000 > Date.parse(hours(hour)));
        const reached = new Set(['a']);
        for (let step = 0; step < ids.length; step++)
          for (const { makerId, identityId } of young)
            if (reached.has(makerId) || reached.has(identityId)) reached.add(makerId).add(identityId);
        return reached.has('b');
      };
      const until = Array.from({ length: 26 }, (_, hour) => hour).find((hour) => !isTiedAt(hour)) ?? 0;
      seen[until === 0 ? 'free' : 'tied']++;
      expect([seed, tiedUntil(ties, ['a', 'b'], NOW)]).toEqual([seed, until === 0 ? null : hours(until)]);
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(coverage(100));
  });
});

describe('a change of an identity', () => {
  const before = { uid: 'bea', identityProfile: 'ip', capabilities: ['HELPDESK', 'POLICY_ADMIN'] } as const;

  test.each([
    ['that creates it', null, before, true],
    ['of its uid', before, { ...before, uid: 'Bea' }, true],
    ['of its identity profile', before, { ...before, identityProfile: 'ip-2' }, true],
    ['that gives it ORG_ADMIN', before, { ...before, capabilities: ['POLICY_ADMIN', 'ORG_ADMIN'] }, true],
    ['that gives it POLICY_ADMIN', { ...before, capabilities: [] }, before, true],
    ['of nothing of these', before, { ...before, capabilities: ['POLICY_ADMIN', 'CERT_ADMIN'] }, false],
    ['that takes capabilities', before, { ...before, capabilities: [] }, false],
  ] as const)('%s', (_, was, is, ties) => {
    expect(tiesToMaker(was, is)).toBe(ties);
  });
});

test('a write ties its maker to the identities that it creates or by which somebody else may act, and to no other', () => {
  const stored = new Map(['i-renamed', 'i-moved', 'i-named'].map((id) => [id, storedIdentity(id)]));
  const written = [
    storedIdentity('i-renamed', { uid: 'other' }),
    storedIdentity('i-named', { displayName: 'Another name' }),
    storedIdentity('i-new'),
    storedIdentity('i-moved', { identityProfile: 'ip-other' }),
  ];
  expect([...identitiesTied(written, stored)]).toEqual(['i-renamed', 'i-new', 'i-moved']);
});
