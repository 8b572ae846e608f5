import { createRandom } from '../campaign/random.ts';
import { entitlementRefs, entitlements, identity, policies, STAFF } from './attack-models.ts';
import { keepSending } from './attacker.ts';
import type { NeighbourRow } from './row.ts';

const ENTITLEMENTS = 300;
const HELD = 12;
const REPORTS = 20;
const AGAIN_MS = 500;

const manyScans: NeighbourRow = {
  id: '6',
  title: '20 scans of many identities',
  prepare: async (attacker) => {
    const { loadAndRead, pick, send, pause } = attacker;
    const random = createRandom(6);
    const refs = entitlementRefs(ENTITLEMENTS);
    const drawn = () => Array.from({ length: HELD }, () => refs[random(ENTITLEMENTS)] ?? refs[0]);
    const people = Array.from({ length: pick(20_000, 2_000) }, (_, at) => identity(`i-${at}`, { access: drawn() }));
    await loadAndRead('i-0', [
      ...entitlements(ENTITLEMENTS),
      STAFF,
      ...policies({ count: pick(2_000, 300), items: 10, drawnFrom: ENTITLEMENTS }),
      ...people,
    ]);
    return {
      run: () =>
        keepSending(attacker, REPORTS, async (number) => {
          // Some at an instant, which share nothing with the others.
          const at = new Date(Date.now() + number * 60_000).toISOString();
          await send({ path: '/sod-violations/v1/scan', body: number % 2 === 0 ? '{}' : JSON.stringify({ at }) });
          await pause(AGAIN_MS);
        }),
      least: { outcomes: { 202: REPORTS }, cpuSeconds: { 'worker 0': pick(2, 0) } },
    };
  },
};

export const rowsOfReports = [manyScans];
