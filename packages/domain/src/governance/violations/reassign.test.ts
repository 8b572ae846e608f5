import { describe, expect, test } from 'vitest';
import { decideReassignment, type ReassignmentView } from './reassign.ts';

const VIOLATION = { ownerId: 'i-owner', targetId: 'i-target', hasEnded: false };
const ADMIN = { identityId: 'i-admin', isForAll: true };
const OWNER = { identityId: 'i-owner', isForAll: false };
const viewOf = (violation: Partial<typeof VIOLATION> | null = {}, assigneeExists = true): ReassignmentView => ({
  violation: violation === null ? null : { ...VIOLATION, ...violation },
  assigneeExists,
});

describe('another owner for a violation', () => {
  test.each([
    ['by an administrator', viewOf(), 'i-other', ADMIN, true],
    ['by an application', viewOf(), 'i-other', { identityId: null, isForAll: true }, true],
    ['by its owner', viewOf(), 'i-other', OWNER, true],
    ['that it has already', viewOf(), 'i-owner', ADMIN, false],
    ['that it has already, after its end', viewOf({ hasEnded: true }), 'i-owner', ADMIN, false],
  ] as const)('%s is decided', (_, view, assignee, caller, changes) => {
    expect(decideReassignment(view, assignee, caller)).toEqual({ ok: true, value: changes });
  });

  test.each([
    ['by another identity', viewOf(), 'i-other', { identityId: 'i-no', isForAll: false }, 'Forbidden'],
    ['by another identity, of no violation', viewOf(null), 'i-other', OWNER, 'Forbidden'],
    ['by an identity of a violation without owner', viewOf({ ownerId: null } as never), 'i-other', OWNER, 'Forbidden'],
    ['of no violation', viewOf(null), 'i-other', ADMIN, 'NotFound'],
    ['that does not exist', viewOf({}, false), 'i-none', ADMIN, 'NotFound'],
    ['that is its target', viewOf(), 'i-target', ADMIN, 'Conflict'],
    ['after its end', viewOf({ hasEnded: true }), 'i-other', ADMIN, 'Conflict'],
    ['that does not exist, by its owner', viewOf({}, false), 'i-none', OWNER, 'NotFound'],
    ['that is its target, by its owner', viewOf(), 'i-target', OWNER, 'Conflict'],
  ] as const)('%s is refused', (_, view, assignee, caller, type) => {
    expect(decideReassignment(view, assignee, caller)).toMatchObject({ ok: false, failure: { type } });
  });

  test('after its end tells its owner nothing about which identities exist', () => {
    const ended = (assignee: string, exists: boolean) =>
      decideReassignment(viewOf({ hasEnded: true }, exists), assignee, OWNER);
    const unknown = decideReassignment(viewOf({}, false), 'i-none', OWNER);
    expect(unknown).toMatchObject({ ok: false, failure: { type: 'NotFound' } });
    for (const refused of [ended('i-other', true), ended('i-none', false), ended('i-target', true)])
      expect(refused).toEqual(unknown);
    expect(ended('i-owner', true)).toEqual({ ok: true, value: false });
  });
});
