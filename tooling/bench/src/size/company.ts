import { createHash } from 'node:crypto';
import type { AccessModelInput } from '@access-admin/client';
import { createRandom } from '../world/random.ts';

/** How many entitlements there are to draw assignments from. */
const ENTITLEMENTS = 2_000;
/** The pairs of entitlements that nobody may have together; nobody has them by chance. */
const PAIRS = 10;

/** Ids as sources of identities have them: 32 hexadecimal digits. */
const idOf = (name: string): string => createHash('md5').update(name).digest('hex');

const entitlementId = (number: number): string => idOf(`entitlement ${number}`);
const forbiddenOf = (pair: number) => [
  entitlementId(ENTITLEMENTS + 2 * pair),
  entitlementId(ENTITLEMENTS + 2 * pair + 1),
];

export const policyId = (pair: number): string => idOf(`policy ${pair}`);

export const identityId = (number: number): string => idOf(`identity ${number}`);

/** A refused pair of entitlements, as a request for access. */
export const requestOf = (number: number) => ({
  identityId: identityId(number),
  accessRefs: forbiddenOf(number % PAIRS).map((id) => ({ type: 'ENTITLEMENT' as const, id })),
});

/** Entitlements, an identity profile, and policies: one for each pair, and more without a violation. */
export function* catalogue(policies = PAIRS): Generator<AccessModelInput> {
  for (let number = 0; number < ENTITLEMENTS + 2 * policies; number++)
    yield {
      kind: 'entitlement',
      id: entitlementId(number),
      name: `Ledger ${number}: post and release`,
      source: `Application ${number % 20}`,
    };
  yield { kind: 'identityProfile', id: idOf('profile'), name: 'Employees' };
  for (let pair = 0; pair < policies; pair++) {
    const [left = '', right = ''] = forbiddenOf(pair);
    yield {
      kind: 'sodPolicy',
      id: policyId(pair),
      name: `Post and release ${pair}`,
      level: 'HIGH',
      conflictingAccessCriteria: {
        leftCriteria: { name: 'post', criteriaList: [{ type: 'ENTITLEMENT', id: left }] },
        rightCriteria: { name: 'release', criteriaList: [{ type: 'ENTITLEMENT', id: right }] },
      },
    };
  }
}

export interface Holding {
  readonly assignments: number;
  /** Whether the person has a forbidden pair besides. */
  readonly isViolating?: boolean;
  /** Another draw gives the person other assignments. */
  readonly draw?: number;
}

/** The person of a number. */
export function personOf(number: number, { assignments, isViolating = false, draw = 0 }: Holding): AccessModelInput {
  const random = createRandom(number * 31 + draw);
  const drawn = new Set<string>(isViolating ? forbiddenOf(number % PAIRS) : []);
  const count = drawn.size + assignments;
  while (drawn.size < count) drawn.add(entitlementId(random.below(ENTITLEMENTS)));
  const name = `Person${number.toString(36)}`;
  return {
    kind: 'identity',
    id: identityId(number),
    uid: `${name.toLowerCase()}.example`,
    identityProfile: idOf('profile'),
    displayName: `${name} Example`,
    firstname: name,
    lastname: 'Example',
    email: `${name.toLowerCase()}@example.com`,
    identificationNumber: String(100_000 + number),
    access: [...drawn].map((id) => ({ type: 'ENTITLEMENT', id })),
  };
}
