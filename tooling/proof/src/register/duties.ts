import type { AccessModelInput } from '@access-admin/client';
import { createRandom, drawOne, type Random } from '../campaign/random.ts';

const ENTITLEMENTS = ['d-0', 'd-1', 'd-2', 'd-3'];
const ROLE = 'd-role';
const POLICIES = 6;
const PEOPLE = 16;
/** Windows end before the campaign is audited, or long after it. */
export const WINDOW_MS_MAX = 3_000;
const LONG_MS = 24 * 3_600_000;

/** Identities that request and approve exceptions. */
export const [ASKER, APPROVER] = ['i-asker', 'i-approver'] as const;

/** A random subject of an exception; it may have no conflict. */
export const drawSubject = (random: Random) => ({
  policyId: `q-${random(POLICIES)}`,
  identityId: `v-${random(PEOPLE)}`,
});

/** A window from now on: a short one, or one that lasts longer than the campaign. */
export function drawWindow(random: Random) {
  const nowMs = Date.now();
  const lengthMs = random(2) === 0 ? 500 + random(WINDOW_MS_MAX - 500) : LONG_MS;
  return { start: new Date(nowMs).toISOString(), end: new Date(nowMs + lengthMs).toISOString() };
}

/** A person with random access, some of it for a limited time. */
function drawPerson(random: Random, id = `v-${random(PEOPLE)}`): AccessModelInput {
  const held = [
    ...ENTITLEMENTS.map((each) => ({ type: 'ENTITLEMENT' as const, id: each })),
    { type: 'ROLE', id: ROLE },
  ] as const;
  const access = held
    .filter(() => random(2) === 0)
    .map((each) => (random(4) === 0 ? { ...each, ...drawWindow(random) } : each));
  return { kind: 'identity', id, uid: id, identityProfile: 'ip-staff', displayName: `${random(1_000)}`, access };
}

const side = (id: string) => ({ criteriaList: [{ type: 'ENTITLEMENT' as const, id }] });

function policy(number: number, isEnforced: boolean, shift = 0): AccessModelInput {
  const [left, right] = [number, number + 1 + (shift % 3)].map((at) =>
    drawOne(() => at % ENTITLEMENTS.length, ENTITLEMENTS),
  );
  return {
    kind: 'sodPolicy',
    id: `q-${number}`,
    name: `Duty ${number}`,
    state: isEnforced ? 'ENFORCED' : 'NOT_ENFORCED',
    conflictingAccessCriteria: { leftCriteria: side(left ?? ''), rightCriteria: side(right ?? '') },
  };
}

const role = (entitlements: readonly string[]): AccessModelInput => ({
  kind: 'role',
  id: ROLE,
  name: 'Duties',
  entitlements,
});

/** The records that the register is kept of, to be imported before they change. */
export const DUTIES: readonly AccessModelInput[] = [
  ...ENTITLEMENTS.map((id) => ({ kind: 'entitlement' as const, id, name: id })),
  role(['d-0', 'd-2']),
  ...[ASKER, APPROVER].map((id) => ({
    kind: 'identity' as const,
    id,
    uid: id,
    identityProfile: 'ip-staff',
    capabilities: ['ORG_ADMIN'] as const,
  })),
  ...Array.from({ length: POLICIES }, (_, number) => policy(number, true)),
  ...Array.from({ length: PEOPLE }, (_, number) => drawPerson(createRandom(number), `v-${number}`)),
];

/** A random change of what violations depend on. */
export function drawChange(random: Random): readonly AccessModelInput[] {
  const drawn = random(20);
  if (drawn < 12) return [drawPerson(random), drawPerson(random)];
  if (drawn < 14) return [{ kind: 'identity', id: `v-${random(PEOPLE)}`, delete: true }];
  if (drawn < 19) return [policy(random(POLICIES), random(4) > 0, random(3))];
  return [role(ENTITLEMENTS.filter(() => random(2) === 0))];
}
