import { describe, expect, test } from 'vitest';
import { concludeCheck, contextsOf } from '../../test/entries.ts';
import { catalogueOf, entitlement, policyOf, role } from '../../test/sod-world.ts';
import type { AccessRef } from '../access/model/records.ts';
import { compileSodIndex } from '../sod/index.ts';

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
