import { describe, expect, test } from 'vitest';
import { policyOf } from '../../test/sod-world.ts';
import { parseSodPolicyPatch, patchSodPolicy } from './patch.ts';
import { completeShown, showSodPolicy } from './presentation.ts';

const SHOWN = showSodPolicy(policyOf('p-1', { left: ['a'], right: ['b'] }, { tags: ['payments'] }), {
  entitlements: new Map(),
  identities: new Map(),
});
/** As a patch sees it. */
const POLICY = completeShown(SHOWN);

/** The outcome of a patch: of its parse where that fails. */
function patched(...operations: readonly object[]) {
  const patch = parseSodPolicyPatch(operations);
  return patch.ok ? patchSodPolicy(SHOWN, patch.value) : patch;
}

describe('a patch of a policy', () => {
  test.each([
    ['name', 'Other'],
    ['description', 'Nobody pays what they order'],
    ['state', 'NOT_ENFORCED'],
    ['level', 'LOW'],
    ['conflictingAccessCriteria', { criteria: [], atLeast: 2 }],
    ['externalPolicyReference', 'X-1'],
    ['compensatingControls', 'Review'],
    ['correctionAdvice', 'Remove one'],
    ['tags', []],
    ['ownerRef', { type: 'IDENTITY', id: 'i-1', name: null }],
    ['attributes', { a: 'b' }],
    ['externalId', 'x-1'],
    ['scheduled', true],
    ['violationOwnerAssignmentConfig', {}],
    ['secondaryOwnerRefs', []],
    ['allowedControls', []],
  ])('may replace %s', (name, value) => {
    expect(patched({ op: 'replace', path: `/${name}`, value })).toEqual({
      ok: true,
      value: { ...POLICY, [name]: value },
    });
  });

  test.each(['id', 'type', 'created', 'modified', 'creatorId', 'modifierId', 'policyQuery', 'other'])(
    'may not touch %s',
    (name) => {
      for (const op of ['add', 'replace', 'remove', 'test'])
        expect(patched({ op, path: `/${name}`, value: 'x' })).toMatchObject({
          ok: false,
          failure: { type: 'IllegalUpdate' },
        });
    },
  );

  test.each(['name', 'state', 'level', 'conflictingAccessCriteria', 'tags'])('may not remove %s', (name) => {
    expect(patched({ op: 'remove', path: `/${name}` })).toEqual({
      ok: false,
      failure: { type: 'IllegalValue', causes: [{ at: name, text: 'must not be removed' }] },
    });
  });

  test.each(['description', 'externalPolicyReference', 'compensatingControls', 'correctionAdvice', 'ownerRef'])(
    'may remove %s, which may be null',
    (name) => {
      expect(patched({ op: 'remove', path: `/${name}` })).toMatchObject({ ok: true });
    },
  );
});
