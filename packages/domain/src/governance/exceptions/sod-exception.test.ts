import { describe, expect, test } from 'vitest';
import {
  approveException,
  exceptionStateAt,
  haveTermsChanged,
  isLive,
  isVoid,
  requestException,
  revokeException,
  type SodExceptionRecord,
  type SodExceptionState,
  showSodException,
  validateNewException,
} from './sod-exception.ts';
import type { ExceptionTerms, SeenConflict } from './terms.ts';

const NOW = '2026-11-21T09:30:00.000Z';
const BEFORE = '2026-11-20T00:00:00.000Z';
const END = '2026-12-21T00:00:00.000Z';
const NO_ITEMS = { leftCriteria: { criteriaList: [] }, rightCriteria: { criteriaList: [] } };
const termsWith = (digest: string): ExceptionTerms => ({
  policyName: 'Pay',
  level: 'HIGH',
  conflictingAccessCriteria: NO_ITEMS,
  digest,
});
const CONFLICT: SeenConflict = { policy: 'terms', items: ['e-1', 'e-2'], terms: termsWith('seen') };
const REQUESTED: SodExceptionRecord = {
  id: 'x-1',
  policyId: 'p-1',
  identityId: 'i-1',
  start: BEFORE,
  end: END,
  justification: 'Year end',
  requesterId: 'i-2',
  created: BEFORE,
  requestedDigest: 'seen',
  approverId: null,
  approved: null,
  approvedConflict: null,
  revokerId: null,
  revoked: null,
  voided: null,
  decisions: [],
};
const APPROVED: SodExceptionRecord = {
  ...REQUESTED,
  approverId: 'i-3',
  approved: BEFORE,
  approvedConflict: CONFLICT,
  decisions: [{ action: 'APPROVED', by: { identityId: 'i-3', displayName: 'Bea' }, at: BEFORE, comment: null }],
};
/** Each state, as it can have come about. */
const IN_STATE: readonly (readonly [SodExceptionState, SodExceptionRecord])[] = [
  ['REQUESTED', REQUESTED],
  ['APPROVED', APPROVED],
  ['REVOKED', { ...REQUESTED, revokerId: 'i-3', revoked: BEFORE }],
  ['REVOKED', { ...APPROVED, revokerId: 'i-3', revoked: BEFORE }],
  ['EXPIRED', { ...REQUESTED, end: NOW }],
  ['EXPIRED', { ...APPROVED, end: BEFORE }],
  ['VOID', { ...REQUESTED, voided: BEFORE }],
  ['VOID', { ...APPROVED, voided: BEFORE }],
];
const APPROVER = { identityId: 'i-3', now: NOW, comment: 'Seen.' };
const GOOD = { capabilities: ['POLICY_ADMIN'], displayName: 'Cy', conflict: CONFLICT, ties: [] } as const;
const decisionOf = (action: 'APPROVED' | 'REVOKED' | 'REFUSED') => ({
  action,
  by: { identityId: 'i-3', displayName: 'Cy' },
  at: NOW,
  comment: 'Seen.',
});
const failureOf = (result: { readonly ok: boolean; readonly failure?: { readonly type: string } }) =>
  result.ok ? null : result.failure?.type;

describe('the state of an exception', () => {
  test.each(IN_STATE)('is %s', (state, exception) => {
    expect(exceptionStateAt(exception, NOW)).toBe(state);
    const { approvedConflict, requestedDigest: _, ...shown } = exception;
    const presentTerms = termsWith('present');
    const terms = state === 'REQUESTED' ? presentTerms : (approvedConflict?.terms ?? null);
    expect(showSodException(exception, NOW, presentTerms)).toEqual({ ...shown, state, terms });
    expect(isLive(exception, NOW)).toBe(state === 'REQUESTED' || state === 'APPROVED');
  });

  test.each(IN_STATE)('%s stays once it has ended, whatever time comes', (state, exception) => {
    const later = '2030-01-01T00:00:00.000Z';
    const live = state === 'REQUESTED' || state === 'APPROVED';
    expect(exceptionStateAt(exception, later)).toBe(live ? 'EXPIRED' : state);
  });
});

describe('a new exception', () => {
  const day = (count: number) => new Date(Date.parse(BEFORE) + count * 86_400_000).toISOString();

  test.each([
    [{ end: BEFORE }, 'IllegalValue'],
    [{ start: END, end: BEFORE }, 'IllegalValue'],
    [{ end: NOW }, 'IllegalValue'],
    [{ end: day(366) }, null],
    [{ end: day(366).replace('.000Z', '.001Z') }, 'IllegalValue'],
    [{ start: '2027-01-01T00:00:00.000Z', end: '2027-02-01T00:00:00.000Z' }, null],
    [{ identityId: 'i-2' }, 'Forbidden'],
    [{ identityId: 'i-2', end: BEFORE }, 'IllegalValue'],
  ] as const)('with %j is %s', (change, type) => {
    expect(validateNewException({ ...REQUESTED, ...change }, { identityId: 'i-2', now: NOW })?.type ?? null).toBe(type);
  });

  const actor = { id: 'x-1', identityId: 'i-2', now: BEFORE };
  const there = { policyExists: true, identityExists: true, others: [], conflict: CONFLICT };

  test('is what was asked for, and nothing that was not', () => {
    expect(requestException({ ...APPROVED, justification: 'Year end' }, there, actor)).toEqual({
      ok: true,
      value: REQUESTED,
    });
  });

  test('names what does not exist before what is in its way', () => {
    const refused = requestException(
      REQUESTED,
      { policyExists: false, identityExists: false, others: [APPROVED], conflict: null },
      actor,
    );
    expect(refused).toMatchObject({
      failure: { type: 'ReferenceNotFound', causes: [{ at: 'policyId' }, { at: 'identityId' }] },
    });
  });

  test.each(IN_STATE)('beside one that is %s', (state, other) => {
    const result = requestException(REQUESTED, { ...there, others: [other] }, { ...actor, now: NOW });
    expect(failureOf(result)).toBe(state === 'REQUESTED' || state === 'APPROVED' ? 'Conflict' : null);
  });
});

describe('an approval', () => {
  test.each(IN_STATE)('of what is %s', (state, exception) => {
    const result = approveException(exception, GOOD, APPROVER);
    if (state !== 'REQUESTED') expect(failureOf(result)).toBe('Conflict');
    else
      expect(result).toEqual({
        ok: true,
        value: {
          ...exception,
          approverId: 'i-3',
          approved: NOW,
          approvedConflict: CONFLICT,
          decisions: [decisionOf('APPROVED')],
        },
      });
  });

  test.each([
    ['i-2', ['ORG_ADMIN'], 1],
    ['i-1', ['POLICY_ADMIN', 'ORG_ADMIN'], 1],
    ['i-3', ['HELPDESK', 'CERT_ADMIN'], 1],
    ['i-1', [], 2],
  ] as const)('by %s with %j is refused, in whatever state', (identityId, capabilities, causes) => {
    for (const [, exception] of IN_STATE) {
      const result = approveException(
        exception,
        { ...GOOD, capabilities, conflict: null },
        { ...APPROVER, identityId },
      );
      expect(result).toMatchObject({ failure: { type: 'Forbidden' } });
      expect(result.ok || result.failure.causes).toHaveLength(causes);
    }
  });

  test('that breaks several rules is told each of them', () => {
    const own = { ...REQUESTED, requesterId: 'i-3', identityId: 'i-3' };
    expect(approveException(own, { ...GOOD, capabilities: ['HELPDESK'] }, APPROVER)).toEqual({
      ok: false,
      failure: {
        type: 'Forbidden',
        causes: [
          { at: '', text: 'the approver must not be the requester of the exception' },
          { at: '', text: 'the approver must not be the identity of the exception' },
          { at: '', text: 'needs the capability ORG_ADMIN or POLICY_ADMIN, which the approver no longer has' },
        ],
      },
    });
  });

  test.each([
    ['the requester', 'i-2', 1],
    ['the identity', 'i-1', 1],
    ['another identity', 'i-9', 0],
  ])('needs an approver who is not tied to %s', (_, other, causes) => {
    const ties = [{ makerId: other, identityId: 'i-3', made: BEFORE }];
    for (const [hours, expected] of [
      [23, causes],
      [24, 0],
    ] as const) {
      const now = new Date(Date.parse(BEFORE) + hours * 3_600_000).toISOString();
      const result = approveException(REQUESTED, { ...GOOD, ties }, { ...APPROVER, now });
      expect(result.ok ? [] : result.failure.causes).toHaveLength(expected);
      if (!result.ok) expect(JSON.stringify(result.failure)).toContain('approve after 2026-11-21T00:00:00.000Z');
    }
  });

  test('needs a conflict', () => {
    expect(failureOf(approveException(REQUESTED, { ...GOOD, conflict: null }, APPROVER))).toBe('Conflict');
  });
});

test.each(IN_STATE)('what is %s is revoked while it is live', (state, exception) => {
  const result = revokeException(exception, GOOD, APPROVER);
  const decisions = [...exception.decisions, decisionOf(state === 'REQUESTED' ? 'REFUSED' : 'REVOKED')];
  if (state !== 'REQUESTED' && state !== 'APPROVED') expect(failureOf(result)).toBe('Conflict');
  else expect(result).toEqual({ ok: true, value: { ...exception, revokerId: 'i-3', revoked: NOW, decisions } });
});

test.each([
  [true, true, true, false, false],
  [true, true, false, false, true],
  [false, true, false, true, true],
  [true, false, false, true, true],
] as const)('policy %s, identity %s, conflict %s: a request is void %s, an approval %s', (...row) => {
  const [policyExists, identityExists, hasConflict, request, approval] = row;
  const ground = { policyExists, identityExists, conflict: hasConflict ? CONFLICT : null };
  expect([isVoid(REQUESTED, ground), isVoid(APPROVED, ground)]).toEqual([request, approval]);
});

test.each([
  ['the same items', { ...CONFLICT, items: ['e-2', 'e-1'] }, false],
  ['an item less', { ...CONFLICT, items: ['e-1'] }, false],
  ['an item more', { ...CONFLICT, items: ['e-1', 'e-2', 'e-3'] }, true],
  ['another item', { ...CONFLICT, items: ['e-1', 'e-3'] }, true],
  ['another policy under the same id', { ...CONFLICT, policy: 'other terms' }, true],
])('an approval stays bound to what was approved: with %s it is void %s', (_, conflict, isEnded) => {
  const ground = { policyExists: true, identityExists: true, conflict };
  expect([isVoid(REQUESTED, ground), isVoid(APPROVED, ground)]).toEqual([false, isEnded]);
});

test('an exception that was ended for good after its end is expired for every clock', () => {
  const ended = { ...APPROVED, end: NOW, voided: NOW };
  for (const instant of [BEFORE, NOW, END]) {
    expect(showSodException(ended, instant)).toMatchObject({
      state: 'EXPIRED',
      voided: null,
    });
    expect(isLive(ended, instant)).toBe(false);
  }
});

test.each([
  ['seen', 'seen', false],
  ['seen', 'other', true],
  ['seen', null, true],
  [null, 'seen', true],
  [null, null, false],
] as const)(
  'of a request with the terms %s, those at present are %s: changed %s',
  (requestedDigest, present, changed) => {
    const presentTerms = present === null ? null : termsWith(present);
    expect(haveTermsChanged({ exception: { ...REQUESTED, requestedDigest }, presentTerms })).toBe(changed);
  },
);
