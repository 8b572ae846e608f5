import { waitUntil } from '../campaign/wait-until.ts';
import { entitlementRefs, entitlements, identity, policies, STAFF } from './attack-models.ts';
import { keepSending } from './attacker.ts';
import type { NeighbourRow } from './row.ts';

const AT_ONCE = 16;
const ENTITLEMENTS = 20;
const REGISTER_MS_MAX = 120_000;

/** Lists that have to be counted row by row, with many matches and with few. */
const LISTS = [
  '/violations/v1?filters=targetName co "person"',
  '/violations/v1?filters=targetName co "person 77" and status in ("Open", "Closed")',
  '/identities/v1?filters=displayName co "person"',
  '/identities/v1?filters=displayName co "son 1"',
  '/entitlements/v1/e-1/holders?',
].map((path) => `${encodeURI(path)}&count=true&limit=1`);

const countedLists: NeighbourRow = {
  id: '13',
  title: '16 counts of long lists at once',
  prepare: async (attacker) => {
    const { prepare, loadAndRead, pick, send } = attacker;
    const access = entitlementRefs(ENTITLEMENTS);
    const count = pick(40_000, 2_000);
    await loadAndRead('i-0', [
      ...entitlements(ENTITLEMENTS),
      STAFF,
      ...policies({ count: 4, items: 3, drawnFrom: ENTITLEMENTS }),
      ...Array.from({ length: count }, (_, at) => identity(`i-${at}`, { displayName: `person ${at}`, access })),
    ]);
    const isFilled = async () => {
      const { text } = await prepare({ path: '/violations/v1/summary' });
      return JSON.parse(text).open >= 4 * count;
    };
    const { signal } = attacker;
    await waitUntil(isFilled, { msMax: REGISTER_MS_MAX, everyMs: 500, signal });
    return {
      run: () => keepSending(attacker, AT_ONCE, (number) => send({ path: LISTS[number % LISTS.length] ?? '' })),
      least: { outcomes: { 200: pick(20, 4) } },
    };
  },
};

export const rowsOfLists = [countedLists];
