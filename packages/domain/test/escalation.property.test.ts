import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AuthUser,
  CAPABILITIES,
  type Caller,
  type Capability,
  changeCapabilities,
  fail,
  failure,
  isCapability,
  ok,
  patchResource,
} from '../src/index.ts';
import { naivePatch, type RawOperation, textOf, toTree } from './naive-json-patch.ts';

/** Patches of capabilities: known ones, each once. */
const PATCH = patchResource<Pick<AuthUser, 'capabilities'>, readonly Capability[]>(
  ({ capabilities = [] }) => {
    const given: readonly unknown[] = Array.isArray(capabilities) ? capabilities : [null];
    const known = given.filter((name): name is Capability => typeof name === 'string' && isCapability(name));
    return known.length === given.length && new Set(known).size === known.length
      ? ok(known)
      : fail(failure('IllegalValue', 'capabilities', ''));
  },
  { capabilities: 'optional' },
);

const TARGET = 'ada';
const COPIED_MAX = 10_000;

const user = (capabilities: readonly Capability[]): AuthUser => ({
  tenant: 't',
  id: TARGET,
  uid: TARGET,
  profile: 'ip',
  displayName: null,
  alias: null,
  firstname: null,
  lastname: null,
  email: null,
  personalEmail: null,
  phone: null,
  workPhone: null,
  identificationNumber: null,
  lastPasswordChangeDate: null,
  lastLoginTimestamp: null,
  currentLoginTimestamp: null,
  lastUnlockTimestamp: null,
  capabilities,
});

// Few names, so that patches hit existing members.
const NAMES = ['ORG_ADMIN', 'HELPDESK', 'INTERNAL', 'CERT_ADMIN', 'REPORT_ADMIN'] as const satisfies Capability[];
const list = fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 4 });
const place = fc.constantFrom('/capabilities', '/capabilities/0', '/capabilities/1', '/capabilities/2');
const operation: fc.Arbitrary<RawOperation> = fc.oneof(
  fc.record({
    op: fc.constantFrom('add', 'replace', 'remove', 'test'),
    path: fc.oneof(place, fc.constantFrom('/capabilities/-', '/capabilities/3')),
    from: fc.constant('/capabilities/0'),
    value: fc.constantFrom<unknown>(...NAMES),
  }),
  fc.record({
    op: fc.constantFrom('add', 'replace', 'test'),
    path: fc.constant('/capabilities'),
    from: fc.constant(''),
    value: list,
  }),
  fc.record({
    op: fc.constantFrom('move', 'copy'),
    path: fc.oneof(place, fc.constant('/capabilities/-')),
    from: place,
    value: fc.constant(null),
  }),
);

interface Attempt {
  readonly before: readonly Capability[];
  readonly operations: readonly RawOperation[];
  readonly caller: Caller;
  readonly otherOrgAdmins: boolean;
}

const attempt: fc.Arbitrary<Attempt> = fc
  .record({
    before: list,
    operations: fc.array(operation, { maxLength: 5 }),
    identityId: fc.constantFrom(null, TARGET, 'bob'),
    own: list,
    otherOrgAdmins: fc.boolean(),
  })
  .map(({ before, operations, identityId, own, otherOrgAdmins }) => {
    // A caller that patches itself may have lost its capabilities.
    const capabilities = identityId === null ? [] : own;
    const caller = { tenant: 't', clientId: 'c', scopes: new Set<string>(), identityId, capabilities };
    return { before, operations, caller, otherOrgAdmins };
  });

/** The capabilities after a direct reading of the patch, or the type of its failure. */
function leftBy({ before, operations }: Attempt): { readonly value: unknown } | { readonly error: string } {
  const outcome = naivePatch(toTree({ capabilities: before }), operations, COPIED_MAX);
  if ('error' in outcome) return outcome;
  const { capabilities = [] } = JSON.parse(textOf(outcome.tree));
  return { value: capabilities };
}

/** The rules applied to the sets before and after, regardless of the operations. */
function validateByOracle(given: Attempt): unknown {
  const left = leftBy(given);
  if ('error' in left) return left.error;
  const after = left.value;
  if (!Array.isArray(after) || new Set(after).size < after.length) return 'IllegalValue';
  if (!after.every((name) => CAPABILITIES.some((known) => known === name))) return 'IllegalValue';
  const { before, caller, otherOrgAdmins } = given;
  const had = new Set<string>(before);
  const has = new Set<string>(after);
  if (had.has('INTERNAL') !== has.has('INTERNAL')) return 'Forbidden';
  const gained = [...has].filter((name) => !had.has(name));
  const counted = caller.capabilities.includes('ORG_ADMIN') ? CAPABILITIES : caller.capabilities;
  const mayGrant = new Set<string>(caller.identityId === TARGET ? [] : counted);
  if (caller.identityId !== null && gained.some((name) => !mayGrant.has(name))) return 'Forbidden';
  if (had.has('ORG_ADMIN') && !has.has('ORG_ADMIN') && !otherOrgAdmins) return 'Conflict';
  return after;
}

function tryPatch({ before, operations, caller, otherOrgAdmins }: Attempt): unknown {
  const patch = PATCH.parse(operations);
  const patched = patch.ok ? PATCH.apply(user(before), patch.value) : patch;
  const changed = patched.ok
    ? changeCapabilities({ user: user(before), otherOrgAdmins }, patched.value, caller)
    : patched;
  return changed.ok ? changed.value.capabilities : changed.failure.type;
}

test('a patch is validated by the capabilities before and after it', () => {
  fc.assert(
    fc.property(attempt, (given) => {
      expect(tryPatch(given)).toEqual(validateByOracle(given));
    }),
    runs(5_000),
  );
});

test('the random patches have every outcome', () => {
  const outcomes = fc.sample(attempt, { numRuns: 5_000, seed: 1 }).map((given) => tryPatch(given));
  const kinds = outcomes.map((outcome) => (Array.isArray(outcome) ? 'allowed' : outcome));
  expect(new Set(kinds)).toEqual(new Set(['allowed', 'Conflict', 'Forbidden', 'IllegalValue']));
});

test('a patch that grants capabilities temporarily and nothing in the end is allowed to every caller', () => {
  fc.assert(
    fc.property(attempt, list, ({ before, caller, otherOrgAdmins }, greedy) => {
      const operations: RawOperation[] = [greedy, [...CAPABILITIES], before].map((value) => ({
        op: 'replace',
        path: '/capabilities',
        from: '',
        value,
      }));
      expect(tryPatch({ before, operations, caller, otherOrgAdmins })).toEqual(before);
    }),
    runs(2_000),
  );
});

test('a patch that removes the last administrator without naming a capability is refused', () => {
  const caller = { tenant: 't', clientId: 'c', scopes: new Set<string>(), identityId: 'bob', capabilities: [] };
  const given: Omit<Attempt, 'operations'> = { before: ['HELPDESK', 'ORG_ADMIN'], caller, otherOrgAdmins: false };
  const first = '/capabilities/0';
  const second = '/capabilities/1';
  const move: RawOperation = { op: 'move', from: first, path: second, value: null };
  const remove: RawOperation = { op: 'remove', path: first, from: '', value: null };
  expect(tryPatch({ ...given, operations: [move] })).toEqual(['ORG_ADMIN', 'HELPDESK']);
  expect(tryPatch({ ...given, operations: [move, remove] })).toBe('Conflict');
});
