import { type AccessModelRecord, AUTH_PROFILE_TYPES, CAPABILITIES, type TimedAccessRef } from '@access-admin/domain';
import fc from 'fast-check';
import { accessProfile, entitlement, identity, identityProfile, role, sodPolicy } from './model-records.ts';

const ids = fc.uniqueArray(
  fc.stringMatching(/^[A-Za-z0-9:_.-]{1,6}$/).filter((id) => id !== '.' && id !== '..'),
  {
    minLength: 2,
    maxLength: 6,
  },
);
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const attribute = fc.option(text);
const some = (from: readonly string[]) => fc.subarray([...from]);

const pools = fc.record({
  entitlements: ids,
  accessProfiles: ids,
  roles: ids,
  identityProfiles: ids,
  identities: ids,
  policies: ids,
});

type Pools = typeof pools extends fc.Arbitrary<infer P> ? P : never;

/** A whole access model in random order. All its references exist. */
export const arbitraryModel: fc.Arbitrary<readonly AccessModelRecord[]> = pools.chain((pool) =>
  fc
    .tuple(
      each(pool.entitlements, arbitraryEntitlement),
      each(pool.accessProfiles, (id) => some(pool.entitlements).map((held) => accessProfile(id, held))),
      each(pool.roles, (id) =>
        fc
          .record({ accessProfiles: some(pool.accessProfiles), entitlements: some(pool.entitlements) })
          .map((held) => role(id, held)),
      ),
      each(pool.identityProfiles, arbitraryIdentityProfile),
      each(pool.identities, (id) => arbitraryIdentity(id, pool)),
      each(pool.policies, (id) => arbitraryPolicy(id, pool.entitlements)),
      fc.subarray([
        { kind: 'uiMetadata', id: 'tenant', usernameLabel: 'Name' } as const,
        { kind: 'branding', id: 'tenant', title: 'Example', helpText: 'Call 1234.' } as const,
        { kind: 'lockoutConfig', id: 'tenant', maximumAttempts: 3 } as const,
        { kind: 'networkConfig', id: 'tenant', range: ['10.0.0.0/8'] } as const,
      ]),
    )
    .chain((kinds) => {
      const records: readonly AccessModelRecord[] = kinds.flat();
      return fc.shuffledSubarray([...records], { minLength: records.length });
    }),
);

const each = <T>(all: readonly string[], arbitrary: (id: string) => fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.tuple(...all.map(arbitrary));

const arbitraryEntitlement = (id: string): fc.Arbitrary<AccessModelRecord> =>
  fc.record({ name: text, source: attribute }).map((fields) => ({ ...entitlement(id), ...fields }));

const arbitraryIdentityProfile = (id: string): fc.Arbitrary<AccessModelRecord> =>
  fc
    .record({
      name: text,
      authProfile: fc.record(
        { type: fc.constantFrom(...AUTH_PROFILE_TYPES), offNetwork: fc.boolean(), applicationName: attribute },
        { requiredKeys: [] },
      ),
    })
    .map((fields) => identityProfile(id, fields));

const [FIRST, MIDDLE, LAST] = [
  '0001-01-01T00:00:00.000Z',
  '2027-01-01T00:00:00.001Z',
  '9999-12-31T23:59:59.999Z',
] as const;

/** Windows with both bounds, with one, with none, or no window. */
const arbitraryWindows = fc.array(
  fc.constantFrom<Pick<TimedAccessRef, 'start' | 'end'>>(
    {},
    { start: FIRST },
    { end: LAST },
    { start: FIRST, end: MIDDLE },
    { start: MIDDLE, end: MIDDLE },
  ),
  { minLength: 6, maxLength: 6 },
);

const arbitraryIdentity = (id: string, pool: Pools): fc.Arbitrary<AccessModelRecord> =>
  fc
    .record({
      uid: text,
      identityProfile: fc.constantFrom(...pool.identityProfiles),
      email: attribute,
      identificationNumber: attribute,
      lastLoginTimestamp: fc.option(fc.maxSafeNat()),
      capabilities: fc.shuffledSubarray([...CAPABILITIES]),
      access: arbitraryWindows.chain((windows) =>
        fc.shuffledSubarray([
          ...pool.entitlements.map((held, at) => ({ type: 'ENTITLEMENT' as const, id: held, ...windows[at] })),
          ...pool.accessProfiles.map((held) => ({ type: 'ACCESS_PROFILE' as const, id: held })),
          ...pool.roles.map((held, at) => ({ type: 'ROLE' as const, id: held, ...windows[at] })),
          ...pool.roles.map((held) => ({ type: 'ROLE' as const, id: held })),
        ]),
      ),
    })
    // Unique among the identities of the model.
    .map((fields) => identity(id, { ...fields, uid: `${id} ${fields.uid}` }));

const arbitraryPolicy = (id: string, entitlements: readonly string[]): fc.Arbitrary<AccessModelRecord> =>
  fc
    .record({
      name: text,
      description: attribute,
      state: fc.constantFrom('ENFORCED' as const, 'NOT_ENFORCED' as const),
      tags: fc.array(text, { maxLength: 3 }),
      left: fc.nat({ max: entitlements.length - 2 }).map((end) => entitlements.slice(0, end + 1)),
    })
    .map(({ left, ...fields }) => sodPolicy(id, { left, right: entitlements.slice(left.length) }, fields));
