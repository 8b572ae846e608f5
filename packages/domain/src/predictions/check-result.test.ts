import { describe, expect, test } from 'vitest';
import { concludeCheck, concludeCheckAsText, contextsOf } from '../../test/entries.ts';
import { catalogueOf, entitlement, policyOf, role } from '../../test/sod-world.ts';
import type { AccessRef } from '../access/model/records.ts';
import { compileSodIndex } from '../sod/index.ts';
import { messageOfFailed } from './check-result.ts';

const index = compileSodIndex(
  [policyOf('p-2', { left: ['a'], right: ['b'] }), policyOf('p-1', { left: ['a'], right: ['b', 'c'] })],
  catalogueOf({ entitlements: ['a', 'b', 'c'] }),
);
const clientMetadata = { ticket: 'T-1' };
const conclude = (held: Uint32Array | null, accessRefs: readonly AccessRef[]) =>
  concludeCheck({ index, held, check: { identityId: 'i-1', accessRefs, clientMetadata } });

describe('concludeCheck', () => {
  test('concludes with what predict answers and names the violated policies', () => {
    expect(conclude(new Uint32Array([0]), [entitlement('b')])).toEqual({
      state: 'SUCCESS',
      result: {
        message: null,
        clientMetadata,
        violationContexts: contextsOf(index, new Uint32Array([0]), [entitlement('b')]),
        violatedPolicies: [
          { type: 'SOD_POLICY', id: 'p-1', name: 'Policy p-1' },
          { type: 'SOD_POLICY', id: 'p-2', name: 'Policy p-2' },
        ],
        violationCount: 2,
        omitted: 0,
      },
    });
  });

  test('concludes without violations where none is caused', () => {
    const result = {
      message: null,
      clientMetadata,
      violationContexts: [],
      violatedPolicies: [],
      violationCount: 0,
      omitted: 0,
    };
    expect(conclude(new Uint32Array(), [entitlement('a')])).toEqual({ state: 'SUCCESS', result });
  });

  test.each([
    ['the identity', null, [entitlement('a')], 'The identity i-1 does not exist any more.'],
    [
      'access',
      new Uint32Array(),
      [entitlement('x'), role('y'), entitlement('x')],
      'Requested access does not exist any more: ENTITLEMENT x, ROLE y.',
    ],
    ['access and the identity', null, [role('y')], 'Requested access does not exist any more: ROLE y.'],
  ])('ends in ERROR when %s does not exist any more', (_, held, refs, message) => {
    const result = {
      message,
      clientMetadata,
      violationContexts: [],
      violatedPolicies: [],
      violationCount: 0,
      omitted: 0,
    };
    expect(conclude(held, refs)).toEqual({ state: 'ERROR', result });
  });
});

describe('the result of a check', () => {
  const concludeWithin = (bytesMax: number) =>
    concludeCheckAsText({
      index,
      held: new Uint32Array([0]),
      check: { identityId: 'i-1', accessRefs: [entitlement('b')], clientMetadata },
      bounds: { contextsMax: 10, bytesMax },
    });

  test('never has more than its bytes, shows every violation for which there is room, and counts the others', () => {
    const whole = Buffer.byteLength(concludeWithin(1_000_000).result);
    const shownByRoom = new Map<number, number>();
    for (let bytesMax = whole - 600; bytesMax <= whole + 1; bytesMax++) {
      const { state, result } = concludeWithin(bytesMax);
      if (state === 'ERROR') continue;
      const { violationContexts, violationCount, omitted } = JSON.parse(result);
      expect(Buffer.byteLength(result)).toBeLessThanOrEqual(bytesMax);
      expect([violationCount, violationContexts.length + omitted]).toEqual([2, 2]);
      shownByRoom.set(bytesMax - whole, violationContexts.length);
    }
    // The comma in front of the first violation is counted, although there is none.
    expect([-1, 0, 1].map((room) => shownByRoom.get(room))).toEqual([1, 1, 2]);
  });
});

test('a check that concerns too many instants ends with the places that do', () => {
  const causes = [
    { at: 'accessRefs', text: 'are too many' },
    { at: 'at', text: 'is too late' },
  ];
  const check = { identityId: 'i-1', accessRefs: [entitlement('b')], clientMetadata };
  expect(messageOfFailed(index, check, { type: 'LimitExceeded', causes })).toBe(
    'accessRefs: are too many, at: is too late.',
  );
});
