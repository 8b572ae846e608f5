import { runs } from '@access-admin/test-depth';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Caller, type ClientSettings, ok, patchResource, SCOPES, validateClientChange } from '../src/index.ts';
import { naivePatch, type RawOperation, textOf, toTree } from './naive-json-patch.ts';

const PATCH = patchResource<ClientSettings>(ok, { name: 'required', scopes: 'required' });

const COPIED_MAX = 10_000;

// Few names, so that patches hit existing members; one that no version knows.
const NAMES = [
  'oauth-clients:manage',
  'tenants:manage',
  'auth-users:read',
  'auth-users:manage',
  'of an earlier version',
];
const list = fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 4 });
const place = fc.constantFrom('/scopes', '/scopes/0', '/scopes/1', '/scopes/2', '/name');
const operation: fc.Arbitrary<RawOperation> = fc.oneof(
  fc.record({
    op: fc.constantFrom('add', 'replace', 'remove', 'test'),
    path: fc.oneof(place, fc.constantFrom('/scopes/-', '/scopes/3')),
    from: fc.constant('/scopes/0'),
    value: fc.constantFrom<unknown>(...NAMES),
  }),
  fc.record({
    op: fc.constantFrom('add', 'replace'),
    path: fc.constant('/scopes'),
    from: fc.constant(''),
    value: list,
  }),
  fc.record({
    op: fc.constantFrom('move', 'copy'),
    path: fc.oneof(place, fc.constant('/scopes/-')),
    from: place,
    value: fc.constant(null),
  }),
);

interface Attempt {
  readonly before: readonly string[];
  readonly name: string;
  readonly operations: readonly RawOperation[];
  readonly own: readonly string[];
  readonly identityId: string | null;
  readonly isBootstrap: boolean;
  readonly isLastAdministrator: boolean;
  readonly scopesHeldAlone: readonly string[];
}

const attempt: fc.Arbitrary<Attempt> = fc.record({
  before: list,
  // A name that a patch can copy into the scopes.
  name: fc.constantFrom('CI', ...NAMES),
  operations: fc.array(operation, { maxLength: 5 }),
  own: list,
  identityId: fc.constantFrom(null, 'i-1'),
  isBootstrap: fc.boolean(),
  isLastAdministrator: fc.boolean(),
  scopesHeldAlone: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 1 }),
});

/** The rules applied to the sets before and after, regardless of the operations. */
function validateByOracle(given: Attempt): unknown {
  const { before, name, operations } = given;
  const outcome = naivePatch(toTree({ name, scopes: before }), operations, COPIED_MAX);
  if ('error' in outcome) return outcome.error;
  const after = JSON.parse(textOf(outcome.tree));
  if (!('name' in after && 'scopes' in after)) return 'IllegalValue';
  if (!isListOfNames(after.scopes)) return 'not a list of scopes';
  const had = new Set(before);
  const has = new Set<string>(after.scopes);
  for (const scope of has) {
    if (had.has(scope)) continue;
    if (!given.own.includes(scope)) return 'Forbidden';
    if (scope === 'tenants:manage' && given.identityId !== null) return 'Forbidden';
  }
  for (const scope of had) {
    if (!SCOPES.some((known) => known === scope)) continue;
    if (!given.own.includes(scope)) return 'Forbidden';
    if (scope === 'tenants:manage' && given.identityId !== null) return 'Forbidden';
  }
  if (given.isBootstrap && [...had].some((scope) => !has.has(scope))) return 'Conflict';
  if (given.isLastAdministrator && !has.has('oauth-clients:manage')) return 'Conflict';
  if (given.scopesHeldAlone.some((scope) => had.has(scope) && !has.has(scope))) return 'Conflict';
  return after;
}

const isListOfNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function tryPatch({ before: scopes, name, operations, own, identityId, ...standing }: Attempt): unknown {
  const before = { name, scopes };
  const patch = PATCH.parse(operations);
  const patched = patch.ok ? PATCH.apply(before, patch.value) : patch;
  if (!patched.ok) return patched.failure.type;
  const after = patched.value as typeof before;
  if (!isListOfNames(after.scopes)) return 'not a list of scopes';
  const caller: Caller = { tenant: 't', clientId: 'c', scopes: new Set(own), identityId, capabilities: [] };
  return validateClientChange({ before, after, standing, caller })?.type ?? after;
}

test('a patch of a client is validated by its scopes before and after it', () => {
  fc.assert(
    fc.property(attempt, (given) => {
      expect(tryPatch(given)).toEqual(validateByOracle(given));
    }),
    runs(4_000),
  );
});

test('the random patches have every outcome', () => {
  const outcomes = fc.sample(attempt, { numRuns: 4_000, seed: 1 }).map((given) => tryPatch(given));
  const kinds = outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : 'allowed'));
  expect(new Set(kinds)).toEqual(new Set(['allowed', 'Conflict', 'Forbidden', 'IllegalValue', 'not a list of scopes']));
});
