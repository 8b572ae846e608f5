import * as fc from 'fast-check';
import type { Caller } from '../src/administration/authorization.ts';
import { CAPABILITIES, type Capability } from '../src/administration/capability.ts';
import type { AccessModelRecord } from '../src/import/records.ts';
import { identityRecord, kOfNRecord, policyRecord } from './import-world.ts';
import { APPLICATION } from './small-world.ts';

const idOf = (prefix: string) => fc.integer({ min: 1, max: 3 }).map((number) => `${prefix}-${number}`);
const idsOf = (prefix: string) => fc.uniqueArray(idOf(prefix), { maxLength: 2 });
const name = fc.constantFrom('A', 'B');

const accessRef = fc.oneof(
  fc.record({ type: fc.constant('ENTITLEMENT' as const), id: idOf('e') }),
  fc.record({ type: fc.constant('ACCESS_PROFILE' as const), id: idOf('ap') }),
  fc.record({ type: fc.constant('ROLE' as const), id: idOf('r') }),
);
const access = fc.uniqueArray(accessRef, { maxLength: 2, selector: ({ type, id }) => `${type}:${id}` });
const capabilities = fc.uniqueArray(fc.constantFrom('ORG_ADMIN' as const, 'HELPDESK' as const, 'INTERNAL' as const), {
  maxLength: 2,
});
const settings = fc.record(
  {
    type: fc.constantFrom('PTA' as const, 'MFA' as const),
    offNetwork: fc.boolean(),
    applicationId: fc.constantFrom(null, 'a'),
    applicationName: fc.constantFrom(null, 'A'),
  },
  { requiredKeys: [] },
);

const tenantRecord = <K extends string>(kind: K) => ({
  kind: fc.constant(kind),
  id: fc.constant('tenant' as const),
});

/** A line that upserts one of a few records. */
export const upsert: fc.Arbitrary<AccessModelRecord> = fc.oneof(
  fc.record({ kind: fc.constant('entitlement' as const), id: idOf('e'), name, source: fc.constant(null) }),
  fc.record({ kind: fc.constant('accessProfile' as const), id: idOf('ap'), name, entitlements: idsOf('e') }),
  fc.record({
    kind: fc.constant('role' as const),
    id: idOf('r'),
    name,
    accessProfiles: idsOf('ap'),
    entitlements: idsOf('e'),
  }),
  fc.record(
    { kind: fc.constant('identityProfile' as const), id: idOf('ip'), name, authProfile: settings },
    { requiredKeys: ['kind', 'id', 'name'] },
  ),
  fc
    .tuple(
      idOf('i'),
      fc.record(
        { identityProfile: idOf('ip'), active: fc.boolean(), capabilities, access },
        { requiredKeys: ['identityProfile'] },
      ),
      // Few identities take the uid of another one, mostly in another case.
      fc.oneof({ arbitrary: fc.constant(null), weight: 6 }, { arbitrary: idOf('I'), weight: 1 }),
    )
    .map(([id, given, uid]) => identityRecord(id, uid === null ? given : { ...given, uid })),
  fc.tuple(idOf('p'), idOf('e'), idOf('x')).map(([id, left, right]) => policyRecord(id, [left], [right])),
  fc
    .tuple(idOf('p'), idOf('e'), idOf('x'))
    .map(([id, one, other]) => kOfNRecord(id, 2, [[one], [one, other], [other]])),
  fc.tuple(idOf('p'), idOf('e'), idOf('x')).map(([id, one, other]) => kOfNRecord(id, 1, [[one, other]])),
  fc.record(
    { kind: fc.constant('uiMetadata' as const), id: fc.constant('tenant' as const), usernameLabel: fc.option(name) },
    { requiredKeys: ['kind', 'id'] },
  ),
  fc.record({ ...tenantRecord('branding'), title: fc.option(name) }, { requiredKeys: ['kind', 'id'] }),
  fc.oneof(
    fc.record(
      { ...tenantRecord('lockoutConfig'), maximumAttempts: fc.integer({ min: 4, max: 6 }) },
      { requiredKeys: ['kind', 'id'] },
    ),
    fc.record({ ...tenantRecord('sessionConfig'), rememberMe: fc.boolean() }, { requiredKeys: ['kind', 'id'] }),
    fc.record(
      { ...tenantRecord('networkConfig'), geolocation: fc.constantFrom(null, ['CH']) },
      { requiredKeys: ['kind', 'id'] },
    ),
  ),
);
const record = fc.oneof(
  { arbitrary: upsert, weight: 3 },
  { arbitrary: upsert.map(({ kind, id }) => ({ kind, id, delete: true as const })), weight: 1 },
);
/** Imports one after the other. */
export const imports = fc.array(fc.array(record, { maxLength: 6 }), { minLength: 1, maxLength: 5 });
const identityWith = (...held: readonly Capability[]): Caller => ({
  ...APPLICATION,
  identityId: 'i-1',
  capabilities: held,
});

export const caller: fc.Arbitrary<Caller> = fc.constantFrom(
  APPLICATION,
  identityWith(...CAPABILITIES),
  identityWith('ORG_ADMIN'),
  identityWith('HELPDESK'),
);
