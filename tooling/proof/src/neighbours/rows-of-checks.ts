import { setTimeout as delay } from 'node:timers/promises';
import {
  entitlementRefs,
  entitlements,
  identity,
  policies,
  requestWithWindows,
  SAMPLE_RECORDS,
  STAFF,
} from './attack-models.ts';
import { type Attacker, keepSending } from './attacker.ts';
import type { NeighbourRow } from './row.ts';

const CHECK = '/sod-violations/v1/check';
const BOTH = `${CHECK}?include=via,remediation`;
const ITEMS = 10;
const ENTITLEMENTS = 40;
const ROLES = 20;
const LONG_NAME = 'n'.repeat(240);

/** Every role holds everything: each item has as many paths as there are roles, and each path names a role at length. */
const roles = Array.from({ length: ROLES }, (_, at) => ({
  kind: 'role',
  id: `r-${at}`,
  name: `${LONG_NAME} ${at}`,
  entitlements: entitlementRefs(ENTITLEMENTS).map(({ id }) => id),
}));
const HUGE_CHECK = {
  path: `${CHECK}?include=via`,
  body: JSON.stringify({ identityId: 'i-0', accessRefs: roles.map(({ id }) => ({ type: 'ROLE', id })) }),
};
const HUGE_EVERY_MS = 2_000;
const READY_MS = 60_000;

async function loadHugeChecks({ load, warmUp }: Attacker, count: number): Promise<void> {
  await load([
    ...entitlements(ENTITLEMENTS),
    STAFF,
    ...roles,
    identity('i-0'),
    ...policies({ count, items: ITEMS, drawnFrom: ENTITLEMENTS }),
  ]);
  await warmUp('i-0');
}

const hugeChecks: NeighbourRow = {
  id: '1',
  title: 'checks whose results are huge',
  prepare: async (attacker) => {
    const { pick, send, signal } = attacker;
    await loadHugeChecks(attacker, pick(8_500, 1_200));
    return {
      run: () =>
        keepSending(attacker, 1, async () => {
          await send(HUGE_CHECK);
          await delay(HUGE_EVERY_MS, undefined, { signal }).catch(() => {});
        }),
    };
  },
};

const hugeResults: NeighbourRow = {
  id: '2',
  title: '12 readers of a huge result',
  prepare: async (attacker) => {
    const { pick, prepare, send } = attacker;
    await loadHugeChecks(attacker, pick(4_000, 1_200));
    const path = `${CHECK}/${JSON.parse((await prepare(HUGE_CHECK)).text).requestId}`;
    const wait = { path, headers: { prefer: 'wait=10' }, isDropped: true };
    // A result that cannot be stored stays away; reading the check is then an attack all the same.
    for (const fromMs = performance.now(); performance.now() - fromMs < READY_MS; )
      if ((await send(wait)).bytes > 10_000) break;
    return { run: () => keepSending(attacker, 12, () => send({ path, isDropped: true })) };
  },
};

const AT_ONCE = 16;

const manyLongChecks: NeighbourRow = {
  id: '5',
  title: '2,000 checks with 500 windows and everything included',
  prepare: async (attacker) => {
    const { load, warmUp, pick, send } = attacker;
    await load(SAMPLE_RECORDS);
    await warmUp('i-0001');
    const bodies = [false, true].map((isWithinLimit) => requestWithWindows('i-0001', sampleRefs(), isWithinLimit));
    const total = pick(2_000, 120);
    return {
      run: () =>
        keepSending(attacker, AT_ONCE, async (number) => {
          if (number >= total) return delay(100);
          await send({ path: BOTH, body: bodies[number % bodies.length] ?? '' });
        }),
    };
  },
};

/** Everything that the sample lets one ask for. */
export const sampleRefs = () => {
  const types = { entitlement: 'ENTITLEMENT', accessProfile: 'ACCESS_PROFILE', role: 'ROLE' } as const;
  return SAMPLE_RECORDS.flatMap((record) => {
    const { kind, id } = record as { readonly kind: keyof typeof types; readonly id: string };
    return types[kind] === undefined ? [] : [{ type: types[kind], id }];
  });
};

export const rowsOfChecks = [hugeChecks, hugeResults, manyLongChecks];
