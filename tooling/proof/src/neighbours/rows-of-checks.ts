import {
  entitlementRefs,
  entitlements,
  identity,
  longRequests,
  policies,
  SAMPLE_RECORDS,
  STAFF,
  sampleRefs,
} from './attack-models.ts';
import { type Attacker, keepSending, requestIdOf } from './attacker.ts';
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
/** A result of this size takes more than a packet, and thousands of violations. */
const HUGE_BYTES = 2 ** 20;

const loadHugeChecks = ({ loadAndRead }: Attacker, count: number): Promise<void> =>
  loadAndRead('i-0', [
    ...entitlements(ENTITLEMENTS),
    STAFF,
    ...roles,
    identity('i-0'),
    ...policies({ count, items: ITEMS, drawnFrom: ENTITLEMENTS }),
  ]);

/** Waits for the result of a huge check; resolves with what it lacks. */
async function verifyHuge({ awaitCheck }: Attacker, requestId: string): Promise<readonly string[]> {
  const { text, bytes } = await awaitCheck(requestId);
  return bytes >= HUGE_BYTES ? [] : [`the result of the check is small: ${text.slice(0, 300)}`];
}

const hugeChecks: NeighbourRow = {
  id: '1',
  title: 'checks whose results are huge',
  prepare: async (attacker) => {
    const { pick, send, pause } = attacker;
    await loadHugeChecks(attacker, pick(8_500, 1_200));
    let first: string | null = null;
    return {
      run: () =>
        keepSending(attacker, 1, async () => {
          const answer = await send(HUGE_CHECK);
          if (answer.status === 202) first ??= requestIdOf(answer);
          await pause(HUGE_EVERY_MS);
        }),
      least: { outcomes: { 202: 1 }, cpuSeconds: { 'worker 0': pick(1, 0) } },
      verify: async () => (first === null ? [] : verifyHuge(attacker, first)),
    };
  },
};

const hugeResults: NeighbourRow = {
  id: '2',
  title: '12 readers of a huge result',
  prepare: async (attacker) => {
    const { pick, prepare, send } = attacker;
    await loadHugeChecks(attacker, pick(4_000, 1_200));
    const requestId = requestIdOf(await prepare(HUGE_CHECK));
    const [missing] = await verifyHuge(attacker, requestId);
    if (missing !== undefined) throw new Error(missing);
    return {
      run: () => keepSending(attacker, 12, () => send({ path: `${CHECK}/${requestId}`, isDropped: true })),
      least: { outcomes: { 200: pick(24, 6) } },
    };
  },
};

const AT_ONCE = 16;

const manyLongChecks: NeighbourRow = {
  id: '5',
  title: '2,000 checks with 500 windows and as much included as is legal',
  prepare: async (attacker) => {
    const { loadAndRead, pick, pause, send } = attacker;
    await loadAndRead('i-0001', SAMPLE_RECORDS);
    const { explained, explainedAt, plain } = longRequests('i-0001', sampleRefs());
    const calls = [
      { path: BOTH, body: explained },
      { path: BOTH, body: explainedAt },
      { path: CHECK, body: plain },
    ];
    const first: (string | undefined)[] = [];
    const total = pick(2_000, 120);
    return {
      run: () =>
        keepSending(attacker, AT_ONCE, async (number) => {
          const kind = number % calls.length;
          const call = calls[kind];
          if (number >= total || call === undefined) return pause(100);
          const answer = await send(call);
          if (answer.status === 202) first[kind] ??= requestIdOf(answer);
        }),
      least: { outcomes: { 202: total }, cpuSeconds: { 'worker 0': pick(1, 0) } },
      verify: async () => {
        const results = await Promise.all(calls.map((_, kind) => attacker.awaitCheck(first[kind] ?? '')));
        return results
          .filter(({ text }) => !text.includes('"violationContexts":[{'))
          .map(({ text }) => `a check finds nothing: ${text.slice(0, 300)}`);
      },
    };
  },
};

export const rowsOfChecks = [hugeChecks, hugeResults, manyLongChecks];
