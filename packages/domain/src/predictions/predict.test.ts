import { describe, expect, test } from 'vitest';
import { predict } from '../../test/entries.ts';
import { accessProfile, catalogueOf, entitlement, policyOf, role } from '../../test/sod-world.ts';
import { compileSodIndex, validateAccessRefs } from '../sod/index.ts';

const index = compileSodIndex(
  [policyOf('p-1', { left: ['a'], right: ['b'] })],
  catalogueOf({ entitlements: ['a', 'b'] }),
);

describe('predict', () => {
  test('answers the violations that the request causes', () => {
    const answer = predict(index, new Uint32Array([0]), [entitlement('b')]);
    expect(answer.ok && answer.value.violationContexts.map(({ policy }) => policy.id)).toEqual(['p-1']);
  });

  test('answers no violation for an empty request', () => {
    expect(predict(index, new Uint32Array([0]), [])).toEqual({ ok: true, value: { violationContexts: [] } });
  });

  test('names every unresolved ref by its place', () => {
    const refs = [role('r-1'), entitlement('a'), accessProfile('a'), role('r-1')];
    expect(predict(index, new Uint32Array(), refs)).toEqual({
      ok: false,
      failure: {
        type: 'ReferenceNotFound',
        causes: [
          { at: 'accessRefs[0]', text: 'there is no ROLE r-1' },
          { at: 'accessRefs[2]', text: 'there is no ACCESS_PROFILE a' },
          { at: 'accessRefs[3]', text: 'there is no ROLE r-1' },
        ],
      },
    });
  });

  test('does not echo what cannot be an id', () => {
    const answer = predict(index, new Uint32Array(), [entitlement('<script>')]);
    expect(!answer.ok && answer.failure.causes).toEqual([
      { at: 'accessRefs[0]', text: 'is not the id of any ENTITLEMENT' },
    ]);
  });

  test('reports unresolved refs before an unknown identity', () => {
    const failureOf = (id: string) => {
      const answer = predict(index, null, [entitlement(id)]);
      return answer.ok ? null : answer.failure.type;
    };
    expect([failureOf('x'), failureOf('a')]).toEqual(['ReferenceNotFound', 'NotFound']);
  });
});

describe('validateAccessRefs', () => {
  test.each([
    ['sound refs', new Uint32Array(), [entitlement('a')]],
    ['unknown refs', new Uint32Array(), [entitlement('a'), entitlement('x'), role('<b>')]],
    ['no identity', null, [entitlement('a')]],
    ['no identity and unknown refs', null, [accessProfile('x')]],
  ])('refuses what predict refuses: %s', (_, held, refs) => {
    const answer = predict(index, held, refs);
    expect(validateAccessRefs(index, held, refs)).toEqual(answer.ok ? { ok: true, value: null } : answer);
  });
});
