import { createRandom } from '../campaign/random.ts';
import { waitUntil } from '../campaign/wait-until.ts';
import { entitlementRefs, entitlements, identity, policies, STAFF } from './attack-models.ts';
import { keepSending } from './attacker.ts';
import type { NeighbourRow } from './row.ts';

const ENTITLEMENTS = 300;
const HELD = 12;
const REPORTS = 20;
const AGAIN_MS = 500;
const REGISTER_MS_MAX = 120_000;

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
      least: { outcomes: { 202: REPORTS }, cpuSeconds: { 'worker 0': pick(1, 0) } },
    };
  },
};

const PATCHES_AT_ONCE = 8;
const PATCH_EVERY_MS = 20;
const LAG_EVERY_MS = 1_000;
const LAG_MS_MAX = 30_000;

const policyPatches: NeighbourRow = {
  id: '16',
  title: 'policies patched without pause',
  prepare: async (attacker) => {
    const { loadAndRead, pick, send, pause, prepare, signal } = attacker;
    const random = createRandom(16);
    const refs = entitlementRefs(ENTITLEMENTS);
    const drawn = () => Array.from({ length: HELD }, () => refs[random(ENTITLEMENTS)] ?? refs[0]);
    const people = Array.from({ length: pick(20_000, 2_000) }, (_, at) => identity(`i-${at}`, { access: drawn() }));
    const count = pick(300, 100);
    await loadAndRead('i-0', [
      ...entitlements(ENTITLEMENTS),
      STAFF,
      ...policies({ count, items: 2, drawnFrom: ENTITLEMENTS }),
      ...people,
    ]);
    const readMoment = async (): Promise<string | null> =>
      JSON.parse((await prepare({ path: '/violations/v1/summary' })).text).asOf;
    const loaded = new Date().toISOString();
    const isFilled = async () => ((await readMoment()) ?? '') > loaded;
    await waitUntil(isFilled, { msMax: REGISTER_MS_MAX, everyMs: 500, signal });
    let startedMs = 0;
    let sentMs = 0;
    let lagMs = 0;
    const patch = async (number: number) => {
      sentMs = Date.now();
      const value = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'][number % 4];
      await send({
        path: `/sod-policies/v1/p-${number % count}`,
        method: 'PATCH',
        type: 'application/json-patch+json',
        body: JSON.stringify([{ op: 'replace', path: '/level', value }]),
      });
      await pause(PATCH_EVERY_MS);
    };
    const watchLag = async () => {
      await pause(LAG_EVERY_MS);
      // Without changes the moment stands still: the register is not behind before the attack.
      lagMs = Math.max(lagMs, Date.now() - Math.max(startedMs, Date.parse((await readMoment()) ?? '')));
    };
    const hasTakenInAll = async () => Date.parse((await readMoment()) ?? '') > sentMs;
    return {
      run: async () => {
        startedMs = Date.now();
        await Promise.all([keepSending(attacker, PATCHES_AT_ONCE, patch), keepSending(attacker, 1, watchLag)]);
      },
      least: { outcomes: { 200: pick(500, 20) } },
      verify: async () => {
        // Without the attacker's signal: it is aborted already.
        const isUpToDate = await waitUntil(hasTakenInAll, { msMax: LAG_MS_MAX, everyMs: 500 });
        return [
          ...(lagMs <= LAG_MS_MAX ? [] : [`the register of the attacker was ${(lagMs / 1_000).toFixed(0)} s behind`]),
          ...(isUpToDate ? [] : ['the register of the attacker did not take in all patches']),
        ];
      },
    };
  },
};

export const rowsOfReports = [manyScans, policyPatches];
