import type { AccessModelRecord, Identity } from '@access-admin/domain';
import { createRandom, createZipf, drawDistinct } from '../world/random.ts';

const SEED = 20_261_123;
const ENTITLEMENTS = 5_000;
const PROFILES = 7;
const FIRST_NAMES = 500;
const LAST_NAMES = 8_000;
const SYLLABLES = 'an be cor da el fi gre han in jo ka li ma nu os pe qui ro sø tha ul ve wi xa yo zé'.split(' ');

/** A name of two to four syllables; frequent ones are short. */
function nameOf(number: number): string {
  let name = '';
  for (let rest = number + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    name += SYLLABLES[rest % SYLLABLES.length] ?? '';
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}

const entitlementIdOf = (number: number) => `e-${number}`;
export const profileIdOf = (number: number) => `ip-${number}`;

/** What people refer to. */
export function* catalogueRecords(): Generator<AccessModelRecord> {
  for (let number = 0; number < PROFILES; number++)
    yield { kind: 'identityProfile', id: profileIdOf(number), name: `Profile ${number}` };
  for (let number = 0; number < ENTITLEMENTS; number++)
    yield { kind: 'entitlement', id: entitlementIdOf(number), name: `Entitlement ${nameOf(number)}`, source: null };
}

/** Some people with names, mail addresses and 20 assignments; another `version` has other names and assignments. */
export function* peopleRecords(count: number, version = 0): Generator<AccessModelRecord> {
  const random = createRandom(SEED + version);
  const drawFirst = createZipf(random, FIRST_NAMES, 0.8);
  const drawLast = createZipf(random, LAST_NAMES, 0.6);
  const drawEntitlement = createZipf(random, ENTITLEMENTS, 1);
  for (let number = 0; number < count; number++) {
    const [first, last] = [nameOf(drawFirst()), nameOf(drawLast())];
    const uid = `${first}.${last}.${number.toString(36)}`.toLowerCase();
    const access = drawDistinct(drawEntitlement, 20).map((each) => ({
      type: 'ENTITLEMENT' as const,
      id: entitlementIdOf(each),
    }));
    yield {
      ...{ kind: 'identity', ...NO_ATTRIBUTES, id: `i-${number.toString(36)}`, uid, displayName: `${first} ${last}` },
      ...{ email: `${uid}@example.com`, identityProfile: profileIdOf(number % PROFILES), access },
    };
  }
}

const NO_ATTRIBUTES: Omit<Identity, 'id' | 'uid' | 'displayName' | 'email' | 'identityProfile' | 'access'> = {
  ...{ capabilities: [], alias: null, firstname: null, lastname: null, personalEmail: null, phone: null },
  ...{ workPhone: null, identificationNumber: null, lastPasswordChangeDate: null, lastLoginTimestamp: null },
  ...{ currentLoginTimestamp: null, lastUnlockTimestamp: null },
};

/** The most, a middling and the least frequent names, to search for. */
export const NAMES = {
  frequent: nameOf(1),
  middling: nameOf(400),
  rare: nameOf(LAST_NAMES - 1),
} as const;

export const ENTITLEMENTS_BY_NUMBER = [0, 10, 1_000].map(entitlementIdOf);
