import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { CampaignRun } from '../campaign/campaign.ts';
import type { Fleet } from '../service/open-fleet.ts';
import { type ResidentMemory, readHeld, readResident } from '../service/resident-memory.ts';
import { type AnswerCounts, openAttacker } from './attacker.ts';
import { type BystanderFigures, describeFigures, type FlowName } from './bystander-figures.ts';
import type { NeighbourRow } from './neighbour-row.ts';
import type { Bystander } from './start-bystander.ts';
import { type Limits, verifyFigures, verifyMemory } from './verify-row.ts';

/** What the rows of one fleet share. */
export interface Scene {
  readonly run: CampaignRun;
  readonly fleet: Fleet;
  readonly bystander: Bystander;
  readonly limits: Limits;
}

const SETTLE_MS = 3_000;
const WINDOW_MS = 1_000;
const MEMORY_EVERY_MS = 500;
const MIB = 2 ** 20;

interface Recovery {
  /** Null if the bystander still felt the attack when its time was over. */
  readonly ms: number | null;
  readonly broken: readonly string[];
}

/** Plays one row: the bystander alone, beside the attack, and after it. */
export async function playRow(scene: Scene, row: NeighbourRow) {
  const { run, fleet, bystander, limits } = scene;
  const slots = [...fleet.apis, ...fleet.workers];
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const answers: AnswerCounts = {};
  const plan = { tenant: `attacker-${row.id}`, isShort: limits.recoveryMs > 5_000, signal: ending.signal };
  const attack = await row.prepare(await openAttacker(fleet, plan, answers), fleet);
  const calm = await measureCalm(scene);
  const before = await readHeld(slots);
  await bystander.ask();
  const crashesBefore = fleet.crashes().length;
  const watched = watchPeaks(() => readResident(slots));
  const running = attack.run();
  try {
    await delay(run.count * 1_000, undefined, { signal: run.signal });
  } finally {
    ending.abort();
  }
  const attacked = await bystander.ask();
  const recovery = await awaitRecovery(scene, calm);
  await running;
  const peaks = watched.stop();
  const [resident, held] = [readResident(slots), await readHeld(slots)];
  await bystander.ask();
  const broken = [
    ...verifyFigures(limits, calm, attacked).map((text) => `beside the attack, ${text}`),
    ...recovery.broken.map((text) => `${limits.recoveryMs / 1000} s after the attack, ${text}`),
    ...verifyMemory(limits, before, held),
    ...(fleet.crashes().length > crashesBefore ? ['a process ended'] : []),
    ...((await attack.verify?.()) ?? []),
  ];
  const played = { calm, attacked, answers, recovery, memory: { before, peaks, resident, held } };
  return { details: describe(played), summary: summarize(played), broken };
}

async function measureCalm({ run, bystander }: Scene): Promise<BystanderFigures> {
  await delay(SETTLE_MS, undefined, { signal: run.signal });
  await bystander.ask();
  await delay(run.count * 1_000, undefined, { signal: run.signal });
  return bystander.ask();
}

/** Waits for a second in which the bystander feels nothing. */
async function awaitRecovery({ run, bystander, limits }: Scene, calm: BystanderFigures): Promise<Recovery> {
  const endedMs = performance.now();
  for (;;) {
    await delay(WINDOW_MS, undefined, { signal: run.signal });
    const broken = verifyFigures(limits, calm, await bystander.ask());
    const ms = Math.round(performance.now() - endedMs);
    if (broken.length === 0) return { ms, broken };
    if (ms >= limits.recoveryMs) return { ms: null, broken };
  }
}

/** Watches the resident memory; its peaks are those between two looks. */
function watchPeaks(read: () => ResidentMemory) {
  let peaks = read();
  const look = () => {
    peaks = Object.fromEntries(
      Object.entries(read()).map(([name, bytes]) => [name, Math.max(bytes, peaks[name] ?? 0)]),
    );
  };
  const timer = setInterval(look, MEMORY_EVERY_MS);
  return {
    stop: (): ResidentMemory => {
      clearInterval(timer);
      return peaks;
    },
  };
}

interface Played {
  readonly calm: BystanderFigures;
  readonly attacked: BystanderFigures;
  readonly answers: AnswerCounts;
  readonly recovery: Recovery;
  readonly memory: Readonly<Record<'before' | 'peaks' | 'resident' | 'held', ResidentMemory>>;
}

/** The figures that are judged, without and beside the attack. */
function summarize({ calm, attacked, recovery, memory: { before, held } }: Played): string {
  const pair = (name: FlowName, percentile: 'p95Ms' | 'p99Ms') =>
    `${Math.round(calm.flows[name][percentile])} and ${Math.round(attacked.flows[name][percentile])} ms`;
  const more = Object.keys(held).map((name) => `${name} ${mib(held, name) - mib(before, name)} MiB more`);
  return [
    `predict ${pair('predict', 'p99Ms')}`,
    `check ${pair('check', 'p95Ms')}`,
    `scan ${pair('scan', 'p95Ms')}`,
    recovery.ms === null ? 'not recovered' : `recovered in ${recovery.ms} ms`,
    ...more,
  ].join(', ');
}

const mib = (of: ResidentMemory, name: string): number => Math.round((of[name] ?? 0) / MIB);

/** All figures, in one line. */
function describe({ calm, attacked, answers, recovery, memory }: Played): string {
  const { before, peaks, resident, held } = memory;
  const memories = Object.keys(before).map(
    (name) =>
      `${name} ${mib(before, name)} MiB, at most ${mib(peaks, name)}, ${mib(resident, name)} after, ${mib(held, name)} held`,
  );
  const statuses = Object.entries(answers).map(([status, count]) => `${status} ${count}×`);
  return [
    `calm: ${describeFigures(calm)}`,
    `attacked: ${describeFigures(attacked)}`,
    recovery.ms === null ? 'not recovered' : `recovered in ${recovery.ms} ms`,
    memories.join('; '),
    `the attacker got ${statuses.join(', ') || 'no answers'}`,
  ].join(' | ');
}
