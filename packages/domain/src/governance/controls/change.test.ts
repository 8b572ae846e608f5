import { describe, expect, test } from 'vitest';
import { completeControl, validateControlDeletion, validateOwners } from './change.ts';
import { type Control, ownersOf, showControl } from './model.ts';

const BEFORE = '2026-01-01T00:00:00.000Z';
const NOW = '2026-11-21T09:30:00.000Z';
const owner = (id: string, name: string | null = null) => ({ type: 'IDENTITY', id, name }) as const;
const CONTROL: Control = {
  id: 'c-1',
  name: 'Second signature',
  description: null,
  owner: owner('i-ada'),
  secondaryOwners: [owner('i-bea'), owner('i-cy')],
  type: 'Mitigation',
  expiration: '20d',
  justificationRequired: false,
  created: BEFORE,
  modified: BEFORE,
};

describe('the owners of a control', () => {
  test('must exist; a refusal names each that does not', () => {
    expect(validateOwners(CONTROL, new Map(['i-ada', 'i-bea', 'i-cy'].map((id) => [id, null])))).toBeNull();
    expect(validateOwners(CONTROL, new Map([['i-bea', 'Bea']]))).toEqual({
      type: 'ReferenceNotFound',
      causes: [
        { at: 'owner.id', text: 'there is no identity i-ada' },
        { at: 'secondaryOwners[1].id', text: 'there is no identity i-cy' },
      ],
    });
    expect(validateOwners({ ...CONTROL, owner: null, secondaryOwners: [] }, new Map())).toBeNull();
  });

  test('are shown with their present names; one that does not exist any more is left out', () => {
    const names = new Map([
      ['i-ada', 'Ada'],
      ['i-cy', null],
    ]);
    expect(showControl(CONTROL, names)).toEqual({
      ...CONTROL,
      owner: owner('i-ada', 'Ada'),
      secondaryOwners: [owner('i-cy')],
    });
    expect(showControl(CONTROL, new Map()).owner).toBeNull();
    expect(showControl({ ...CONTROL, owner: null }, names).owner).toBeNull();
  });

  test('are stored without names, and each secondary one once', () => {
    const fields = { ...CONTROL, owner: owner('i-ada', 'A'), secondaryOwners: [owner('i-cy', 'C'), owner('i-cy')] };
    const control = completeControl(fields, null, NOW);
    expect([control.owner, control.secondaryOwners]).toEqual([owner('i-ada'), [owner('i-cy')]]);
    expect(ownersOf(control)).toEqual(['i-ada', 'i-cy']);
    expect(ownersOf({ owner: null, secondaryOwners: [owner('i-cy')] })).toEqual(['i-cy']);
  });
});

test('a control is modified when something of it differs, and only then', () => {
  expect(completeControl(CONTROL, null, NOW)).toMatchObject({ created: NOW, modified: NOW });
  expect(completeControl(CONTROL, CONTROL, NOW)).toEqual(CONTROL);
  expect(completeControl({ ...CONTROL, expiration: '21d' }, CONTROL, NOW)).toEqual({
    ...CONTROL,
    expiration: '21d',
    modified: NOW,
  });
});

test('a control is not deleted while it is applied', () => {
  expect(validateControlDeletion({ isApplied: false, policyId: null })).toBeNull();
  expect(validateControlDeletion({ isApplied: true, policyId: null })).toMatchObject({ type: 'Conflict' });
  expect(validateControlDeletion({ isApplied: false, policyId: 'p-1' })).toMatchObject({ type: 'Conflict' });
});
