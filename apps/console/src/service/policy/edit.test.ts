import type { SodPolicy } from '@access-admin/client';
import { expect, test } from 'vitest';
import { addItems, addSide, changeSide, draftOf, policyOf, removeSide, sidesOf } from './draft.ts';
import { beginEdit, changesOf, conflictsOf, type Edit, rebaseEdit } from './edit.ts';

const side = (name: string, ...ids: string[]) => ({
  name,
  criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT' as const, id, name: `Name of ${id}` })),
});
const policy: SodPolicy = {
  id: 'p',
  name: 'Policy',
  description: null,
  state: 'ENFORCED',
  level: 'HIGH',
  type: 'CONFLICTING_ACCESS_BASED',
  conflictingAccessCriteria: { leftCriteria: side('left', 'a'), rightCriteria: side('right', 'b') },
  externalPolicyReference: null,
  compensatingControls: null,
  correctionAdvice: null,
  tags: ['kept'],
  attributes: {},
  externalId: null,
  scheduled: false,
  policyQuery: null,
  creatorId: null,
  modifierId: null,
  created: '2026-11-23T00:00:00.000Z',
  modified: '2026-11-23T00:00:00.000Z',
};
const version = (etag: string, part: Partial<SodPolicy> = {}) => ({ etag, policy: { ...policy, ...part } });
const change = ({ base, draft }: Edit, part: Partial<Edit['draft']>): Edit => ({ base, draft: { ...draft, ...part } });
const item = (id: string) => ({ id, name: id, isDeleted: false });

test('a draft without changes stands for the policy, with what the form does not show', () => {
  const {
    type: _type,
    policyQuery: _policyQuery,
    creatorId: _creatorId,
    modifierId: _modifierId,
    created: _created,
    modified: _modified,
    ...fields
  } = policy;
  const bare = (name: string, id: string) => ({ name, criteriaList: [{ type: 'ENTITLEMENT', id }] });
  expect(policyOf(draftOf(policy), policy)).toEqual({
    ...fields,
    ownerRef: null,
    violationOwnerAssignmentConfig: null,
    secondaryOwnerRefs: null,
    allowedControls: null,
    conflictingAccessCriteria: { leftCriteria: bare('left', 'a'), rightCriteria: bare('right', 'b') },
  });
  expect(changesOf(beginEdit(version('1')))).toEqual([]);
});

test('another form uses other sides, and going back loses nothing', () => {
  const draft = draftOf(policy);
  expect(policyOf({ ...draft, form: 'CRITICAL' }, policy).conflictingAccessCriteria).toMatchObject({
    criteria: [{ name: 'left' }],
  });
  const several = addSide({ ...draft, form: 'K_OF_N', atLeast: 2 });
  expect(policyOf({ ...several, atLeast: 3 }, policy).conflictingAccessCriteria).toMatchObject({
    criteria: [{ name: 'left' }, { name: 'right' }, { name: null, criteriaList: [] }],
    atLeast: 3,
  });
  expect(sidesOf({ ...several, form: 'TWO_SIDED' })).toEqual(draft.sides);
  expect(removeSide({ ...several, atLeast: 3 }, 0)).toMatchObject({ atLeast: 2, sides: [{ key: 1 }, { key: 2 }] });
});

test('an item is on a side once', () => {
  const [left] = draftOf(policy).sides;
  expect(left && addItems(left, [item('a'), item('c')]).items.map(({ id }) => id)).toEqual(['a', 'c']);
});

test('a version that is saved elsewhere is followed where nothing of the edit is lost', () => {
  const edit = beginEdit(version('1'));
  const mine = change(edit, { name: 'Mine' });
  expect(conflictsOf(edit, version('2', { level: 'LOW' }))).toEqual([]);
  expect(conflictsOf(mine, version('1'))).toEqual([]);
  expect(conflictsOf(mine, version('2', { tags: [] }))).toEqual([]);
  expect(conflictsOf(mine, version('2', { name: 'Mine' }))).toEqual([]);
  expect(conflictsOf(mine, version('2', { level: 'LOW' }))).toEqual(['level']);
});

test('an edit on top of another version keeps its own changes and takes all others', () => {
  const edit = beginEdit(version('1'));
  const [left] = edit.draft.sides;
  if (left === undefined) throw new Error('there is no side');
  const mine = change(edit, { ...changeSide(edit.draft, addItems(left, [item('c')])), name: ' Mine ' });
  expect(changesOf(mine)).toEqual(['rule', 'name']);
  const latest = version('2', { name: 'Theirs', level: 'LOW', correctionAdvice: 'Ask' });
  const rebased = rebaseEdit(mine, latest);
  expect(changesOf(rebased)).toEqual(['rule', 'name']);
  expect(policyOf(rebased.draft, latest.policy)).toMatchObject({ name: 'Mine', level: 'LOW', correctionAdvice: 'Ask' });
  expect(rebaseEdit(edit, latest)).toEqual(beginEdit(latest));
});
