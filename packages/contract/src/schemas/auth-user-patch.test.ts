import { type AuthUser, CAPABILITIES, type Caller, type Capability, changeCapabilities } from '@access-admin/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { authUserPatch } from './auth-users.ts';

const ada: AuthUser = {
  tenant: 't',
  id: 'ada',
  uid: 'ada',
  profile: 'ip-emp',
  displayName: 'Ada L.',
  alias: 'ada',
  firstname: 'Ada',
  lastname: null,
  email: 'ada@example.com',
  personalEmail: null,
  phone: null,
  workPhone: null,
  identificationNumber: null,
  lastPasswordChangeDate: null,
  lastLoginTimestamp: 0,
  currentLoginTimestamp: null,
  lastUnlockTimestamp: null,
  capabilities: ['CERT_ADMIN', 'HELPDESK'],
};

const application: Caller = { tenant: 't', clientId: 'c', scopes: new Set(), identityId: null, capabilities: [] };
const identity = (identityId: string, ...capabilities: readonly Capability[]): Caller => ({
  ...application,
  identityId,
  capabilities,
});

interface Case {
  readonly capabilities?: readonly Capability[];
  readonly caller?: Caller;
  readonly otherOrgAdmins?: boolean;
}

function run(operations: readonly unknown[], { capabilities, caller, otherOrgAdmins }: Case = {}) {
  const user = { ...ada, capabilities: capabilities ?? ada.capabilities };
  const patch = authUserPatch.parse(operations);
  const patched = patch.ok ? authUserPatch.apply(user, patch.value) : patch;
  if (!patched.ok) return patched;
  return changeCapabilities(
    { user, otherOrgAdmins: otherOrgAdmins ?? true },
    patched.value.capabilities,
    caller ?? application,
  );
}

/** The capabilities that a patch leaves, or the type of its failure. */
function outcome(operations: readonly unknown[], given: Case = {}): unknown {
  const result = run(operations, given);
  return result.ok ? result.value.capabilities : result.failure.type;
}

const replaceAll = (value: unknown) => ({ op: 'replace', path: '/capabilities', value });

describe('the result of a patch', () => {
  test.each([
    ['nothing to do', [], ['CERT_ADMIN', 'HELPDESK']],
    ['replace all', [replaceAll(['REPORT_ADMIN'])], ['REPORT_ADMIN']],
    ['replace all by none', [replaceAll([])], []],
    ['add all', [{ op: 'add', path: '/capabilities', value: ['ORG_ADMIN'] }], ['ORG_ADMIN']],
    ['remove all', [{ op: 'remove', path: '/capabilities' }], []],
    [
      'remove all, then add',
      [
        { op: 'remove', path: '/capabilities' },
        { op: 'add', path: '/capabilities', value: ['HELPDESK'] },
      ],
      ['HELPDESK'],
    ],
    [
      'add to the end',
      [{ op: 'add', path: '/capabilities/-', value: 'ORG_ADMIN' }],
      ['CERT_ADMIN', 'HELPDESK', 'ORG_ADMIN'],
    ],
    [
      'add to the front',
      [{ op: 'add', path: '/capabilities/0', value: 'ORG_ADMIN' }],
      ['ORG_ADMIN', 'CERT_ADMIN', 'HELPDESK'],
    ],
    ['remove one', [{ op: 'remove', path: '/capabilities/0' }], ['HELPDESK']],
    ['replace one', [{ op: 'replace', path: '/capabilities/1', value: 'ORG_ADMIN' }], ['CERT_ADMIN', 'ORG_ADMIN']],
    ['move one', [{ op: 'move', from: '/capabilities/0', path: '/capabilities/-' }], ['HELPDESK', 'CERT_ADMIN']],
    [
      'copy one, then replace it',
      [
        { op: 'copy', from: '/capabilities/0', path: '/capabilities/-' },
        { op: 'replace', path: '/capabilities/2', value: 'ORG_ADMIN' },
      ],
      ['CERT_ADMIN', 'HELPDESK', 'ORG_ADMIN'],
    ],
    [
      'a test that holds',
      [
        { op: 'test', path: '/capabilities', value: ['CERT_ADMIN', 'HELPDESK'] },
        { op: 'test', path: '/capabilities/0', value: 'CERT_ADMIN' },
        { op: 'remove', path: '/capabilities/0' },
      ],
      ['HELPDESK'],
    ],
  ])('%s', (_title, operations, capabilities) => {
    expect(run(operations)).toStrictEqual({ ok: true, value: { ...ada, capabilities } });
  });
});

describe('a patch of other properties is IllegalUpdate', () => {
  test.each([
    '',
    '/',
    '/displayName',
    '/id',
    '/tenant',
    '/Capabilities',
    '/capabilities ',
    '/capability',
    '/capabilities~1-',
    'x/capabilities',
    '/capabilities/~2',
    '/__proto__',
    '/__proto__/capabilities',
    '/constructor/prototype',
  ])('%j as path or from, of any operation', (pointer) => {
    for (const op of ['add', 'remove', 'replace', 'test']) {
      expect(outcome([{ op, path: pointer, value: [] }])).toBe('IllegalUpdate');
    }
    for (const op of ['move', 'copy']) {
      expect(outcome([{ op, from: pointer, path: '/capabilities/-' }])).toBe('IllegalUpdate');
      expect(outcome([{ op, from: '/capabilities/0', path: pointer }])).toBe('IllegalUpdate');
    }
  });
});

describe('a result that is not a list of capabilities is refused', () => {
  test.each([
    ['null', replaceAll(null), 'IllegalValue'],
    ['a text', replaceAll('ORG_ADMIN'), 'IllegalValue'],
    ['an object', replaceAll({ 0: 'ORG_ADMIN' }), 'IllegalValue'],
    ['an unknown name', replaceAll(['ORG_ADMIN', 'ROOT']), 'IllegalValue'],
    ['another case', replaceAll(['org_admin']), 'IllegalValue'],
    ['a repetition', { op: 'add', path: '/capabilities/-', value: 'HELPDESK' }, 'IllegalValue'],
    ['a copy', { op: 'copy', from: '/capabilities/0', path: '/capabilities/-' }, 'IllegalValue'],
    ['a list in the list', { op: 'copy', from: '/capabilities', path: '/capabilities/-' }, 'IllegalValue'],
    ['a member of a name', { op: 'add', path: '/capabilities/0/x', value: 1 }, 'IllegalValue'],
    ['a member of the list', { op: 'add', path: '/capabilities/__proto__', value: 1 }, 'IllegalValue'],
    ['an index with a leading zero', { op: 'replace', path: '/capabilities/01', value: 'ORG_ADMIN' }, 'IllegalValue'],
    ['a negative index', { op: 'remove', path: '/capabilities/-1' }, 'IllegalValue'],
    ['an index beyond the end', { op: 'remove', path: '/capabilities/2' }, 'IllegalValue'],
    ['65 names', replaceAll(Array(65).fill('ORG_ADMIN')), 'LimitExceeded'],
    ['a failed test', { op: 'test', path: '/capabilities', value: [] }, 'Conflict'],
  ])('%s', (_title, operation, type) => {
    expect(outcome([operation])).toBe(type);
  });

  test('only the final result counts', () => {
    expect(outcome([replaceAll(7), replaceAll(['ORG_ADMIN'])])).toEqual(['ORG_ADMIN']);
  });
});

describe('rights are validated on the change, not on the text of the patch', () => {
  const internal: Case = { capabilities: ['INTERNAL', 'HELPDESK'] };

  test.each<[string, unknown[], Case, unknown]>([
    ['INTERNAL added', [{ op: 'add', path: '/capabilities/-', value: 'INTERNAL' }], {}, 'Forbidden'],
    ['INTERNAL removed by a whole replace', [replaceAll(['HELPDESK'])], internal, 'Forbidden'],
    ['INTERNAL removed with all', [{ op: 'remove', path: '/capabilities' }], internal, 'Forbidden'],
    ['INTERNAL kept by a whole replace', [replaceAll(['INTERNAL'])], internal, ['INTERNAL']],
    [
      'INTERNAL removed and added',
      [replaceAll([]), replaceAll(['HELPDESK', 'INTERNAL'])],
      internal,
      ['HELPDESK', 'INTERNAL'],
    ],
    [
      'a grant of what the identity lacks',
      [replaceAll(['ORG_ADMIN'])],
      { caller: identity('bob', 'HELPDESK') },
      'Forbidden',
    ],
    [
      'a grant of what the identity has',
      [{ op: 'add', path: '/capabilities/-', value: 'ORG_ADMIN' }],
      { caller: identity('bob', 'ORG_ADMIN') },
      ['CERT_ADMIN', 'HELPDESK', 'ORG_ADMIN'],
    ],
    [
      'a grant to itself',
      [{ op: 'add', path: '/capabilities/-', value: 'ORG_ADMIN' }],
      { caller: identity('ada', 'ORG_ADMIN') },
      'Forbidden',
    ],
    ['its own step down', [replaceAll(['HELPDESK'])], { caller: identity('ada', 'ORG_ADMIN') }, ['HELPDESK']],
    [
      'the same list by anyone',
      [replaceAll(['CERT_ADMIN', 'HELPDESK'])],
      { caller: identity('bob') },
      ['CERT_ADMIN', 'HELPDESK'],
    ],
    ['no operation by anyone', [], { caller: identity('bob') }, ['CERT_ADMIN', 'HELPDESK']],
    ['an illegal value before rights', [replaceAll(['INTERNAL', 'ROOT'])], {}, 'IllegalValue'],
  ])('%s', (_title, operations, given, expected) => {
    expect(outcome(operations, given)).toEqual(expected);
  });
});

describe('the last ORG_ADMIN cannot be removed', () => {
  const last: Case = { capabilities: ['ORG_ADMIN', 'HELPDESK'], otherOrgAdmins: false };
  const self = identity('ada', 'ORG_ADMIN', 'HELPDESK');

  test.each<[string, unknown[], Case, unknown]>([
    ['by an application', [replaceAll(['HELPDESK'])], last, 'Conflict'],
    ['by itself', [replaceAll(['HELPDESK'])], { ...last, caller: self }, 'Conflict'],
    ['with all', [{ op: 'remove', path: '/capabilities' }], last, 'Conflict'],
    ['one by one', [{ op: 'remove', path: '/capabilities/0' }], last, 'Conflict'],
    ['unless there are others', [replaceAll(['HELPDESK'])], { ...last, otherOrgAdmins: true }, ['HELPDESK']],
    ['but the rest', [replaceAll(['ORG_ADMIN'])], last, ['ORG_ADMIN']],
    ['and one who is none loses nothing', [replaceAll([])], { otherOrgAdmins: false }, []],
    [
      'a caller without rights gets Forbidden instead',
      [replaceAll(['CERT_ADMIN'])],
      { ...last, caller: self },
      'Forbidden',
    ],
  ])('%s', (_title, operations, given, expected) => {
    expect(outcome(operations, given)).toEqual(expected);
  });
});

test('the outcome depends only on the difference, not on the operations of the patch', () => {
  const some = fc.subarray([...CAPABILITIES]);
  const orders = fc.shuffledSubarray([...CAPABILITIES]);
  const identityIds = fc.constantFrom(null, 'ada', 'bob');
  fc.assert(
    fc.property(some, orders, some, identityIds, fc.boolean(), (before, after, own, identityId, otherOrgAdmins) => {
      const caller = identityId === null ? application : identity(identityId, ...own);
      const forbidden = CAPABILITIES.some((capability) => {
        if (before.includes(capability) === after.includes(capability)) return false;
        if (capability === 'INTERNAL') return true;
        const counts = own.includes(capability) || own.includes('ORG_ADMIN');
        return identityId !== null && after.includes(capability) && (identityId === 'ada' || !counts);
      });
      const conflict = before.includes('ORG_ADMIN') && !after.includes('ORG_ADMIN') && !otherOrgAdmins;
      const expected = forbidden ? 'Forbidden' : conflict ? 'Conflict' : after;

      const oneByOne = [
        ...before.map(() => ({ op: 'remove', path: '/capabilities/0' })),
        ...after.map((value) => ({ op: 'add', path: '/capabilities/-', value })),
      ];
      const given = { capabilities: before, caller, otherOrgAdmins };
      expect(outcome([replaceAll(after)], given)).toEqual(expected);
      expect(outcome(oneByOne, given)).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});
