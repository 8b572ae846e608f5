import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type BystanderFigures, describeFigures, type FlowName } from '../bystander/figures.ts';
import type { CampaignRun } from '../campaign/campaign.ts';
import type { CallersThread } from '../campaign/start-thread.ts';
import { waitUntil } from '../campaign/wait-until.ts';
import { type CpuSeconds, readCpuSeconds } from '../service/cpu-time.ts';
import type { Fleet } from '../service/open-fleet.ts';
import { type ResidentMemory, readHeld, readResident } from '../service/resident-memory.ts';
import { type AnswerCounts, openAttacker } from './attacker.ts';
import { cpuSecondsBeyond, type Effect, verifyEffect } from './effect.ts';
import type { Attack, NeighbourRow } from './row.ts';
import { type Limits, ROUGH, STRICT, verifyFigures, verifyMemory } from './verify-row.ts';

/** What the rows of one fleet share. */
export interface Scene {
  readonly run: CampaignRun;
  readonly fleet: Fleet;
  readonly bystander: CallersThread<BystanderFigures>;
  readonly isShort: boolean;
}

const SETTLE_MS = { long: 3_000, short: 1_000 };
const WINDOW_MS = { long: 1_000, short: 500 };
const MEMORY_EVERY_MS = 500;
/** An attack without effect goes on for so long, because a busy machine may delay its effect. */
const EFFECT_MS = 10_000;
const MIB = 2 ** 20;

const slotsOf = ({ fleet }: Scene) => [...fleet.apis, ...fleet.workers];
const limitsOf = ({ isShort }: Scene): Limits => (isShort ? ROUGH : STRICT);
const pause = ({ run }: Scene, ms: number) => delay(ms, undefined, { signal: run.signal });

/** A row that can be played. */
export interface PreparedRow {
  readonly row: NeighbourRow;
  readonly attack: Attack;
  readonly answers: AnswerCounts;
  endAttack(): void;
}

export async function prepareRow({ fleet, isShort }: Scene, row: NeighbourRow): Promise<PreparedRow> {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const answers: AnswerCounts = {};
  const attacker = await openAttacker(fleet, { tenant: `attacker-${row.id}`, isShort, signal: ending.signal }, answers);
  return { row, answers, attack: await row.prepare(attacker, fleet), endAttack: () => ending.abort() };
}

/** Figures without an attack. */
export interface Calm {
  readonly figures: BystanderFigures;
  /** CPU seconds of each process in a second. */
  readonly cpuPerSecond: CpuSeconds;
  /** The memory that the processes hold before a row. */
  readonly held: ResidentMemory;
}

export async function measureCalm(scene: Scene): Promise<Calm> {
  await pause(scene, scene.isShort ? SETTLE_MS.short : SETTLE_MS.long);
  await scene.bystander.ask();
  const readUsed = watchCpu(scene);
  await pause(scene, scene.run.count * 1_000);
  const figures = await scene.bystander.ask();
  const { seconds, used } = readUsed();
  const cpuPerSecond = Object.fromEntries(Object.entries(used).map(([name, own]) => [name, own / seconds]));
  return { figures, cpuPerSecond, held: await readHeld(slotsOf(scene)) };
}

/** Reads the CPU time since now. */
function watchCpu(scene: Scene) {
  const fromMs = performance.now();
  const before = readCpuSeconds(slotsOf(scene));
  return () => ({
    seconds: (performance.now() - fromMs) / 1_000,
    used: Object.fromEntries(
      Object.entries(readCpuSeconds(slotsOf(scene))).map(([name, own]) => [name, own - (before[name] ?? 0)]),
    ),
  });
}

/** Plays one row: the bystander beside the attack, and after it. */
export async function playRow(scene: Scene, prepared: PreparedRow, calm: Calm) {
  const { row, attack } = prepared;
  const crashesBefore = scene.fleet.crashes().join();
  await scene.bystander.ask();
  const watched = watchPeaks(() => readResident(slotsOf(scene)));
  const running = attack.run();
  const effect = await awaitEffect(scene, prepared, calm).finally(prepared.endAttack);
  const attacked = await scene.bystander.ask();
  const recovery = await awaitRecovery(scene, calm.figures, calm.held);
  await running;
  const broken = [
    ...verifyEffect(attack.least, effect),
    ...verifyFigures(limitsOf(scene), calm.figures, attacked).map((text) => `beside the attack, ${text}`),
    ...recovery.broken.map((text) => `${Math.round(recovery.ms / 1000)} s after the attack, ${text}`),
    ...(scene.fleet.crashes().join() !== crashesBefore ? ['a process ended'] : []),
    ...((await attack.verify?.()) ?? []),
  ].map((text) => `row ${row.id}: ${text}`);
  const played = { calm: calm.figures, attacked, effect, recovery, before: calm.held, peaks: watched.stop() };
  return { details: describe(played), summary: summarize(played), broken, held: recovery.held };
}

/** Lets the attack go on for its time, or until it has had its least effect. */
async function awaitEffect(scene: Scene, { attack, answers }: PreparedRow, calm: Calm): Promise<Effect> {
  const readUsed = watchCpu(scene);
  const read = (): Effect => {
    const { seconds, used } = readUsed();
    return { outcomes: answers, cpuSeconds: cpuSecondsBeyond(calm.cpuPerSecond, used, seconds) };
  };
  await pause(scene, scene.run.count * 1_000);
  const isEffective = () => verifyEffect(attack.least, read()).length === 0;
  await waitUntil(isEffective, { msMax: EFFECT_MS, everyMs: 50, signal: scene.run.signal });
  return read();
}

interface Recovery {
  readonly ms: number;
  /** What was not yet as before; empty once everything was. */
  readonly broken: readonly string[];
  readonly resident: ResidentMemory;
  /** After a collection. */
  readonly held: ResidentMemory;
}

/** Waits for a while in which the bystander feels nothing, and after which the processes hold no more memory than before. */
async function awaitRecovery(scene: Scene, calm: BystanderFigures, before: ResidentMemory): Promise<Recovery> {
  const limits = limitsOf(scene);
  const endedMs = performance.now();
  for (;;) {
    await pause(scene, scene.isShort ? WINDOW_MS.short : WINDOW_MS.long);
    const felt = verifyFigures(limits, calm, await scene.bystander.ask());
    const ms = Math.round(performance.now() - endedMs);
    if (felt.length > 0 && ms < limits.recoveryMs) continue;
    const resident = readResident(slotsOf(scene));
    const held = await readHeld(slotsOf(scene));
    const broken = [...felt, ...verifyMemory(limits, before, held)];
    if (broken.length === 0 || ms >= limits.recoveryMs) return { ms, broken, resident, held };
    // What a collection delays is not felt from the attack.
    await scene.bystander.ask();
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
  readonly effect: Effect;
  readonly recovery: Recovery;
  readonly before: ResidentMemory;
  readonly peaks: ResidentMemory;
}

/** The figures that are judged, without and beside the attack. */
function summarize({ calm, attacked, recovery, before }: Played): string {
  const pair = (name: FlowName, percentile: 'p95Ms' | 'p99Ms') =>
    `${Math.round(calm.flows[name][percentile])} and ${Math.round(attacked.flows[name][percentile])} ms`;
  const more = Object.keys(before).map((name) => `${name} ${mib(recovery.held, name) - mib(before, name)} MiB more`);
  return [
    `predict ${pair('predict', 'p99Ms')}`,
    `check ${pair('check', 'p95Ms')}`,
    `scan ${pair('scan', 'p95Ms')}`,
    recovery.broken.length > 0 ? 'not recovered' : `recovered in ${recovery.ms} ms`,
    ...more,
  ].join(', ');
}

const mib = (of: ResidentMemory, name: string): number => Math.round((of[name] ?? 0) / MIB);

/** All figures, in one line. */
function describe({ calm, attacked, effect, recovery, before, peaks }: Played): string {
  const { resident, held } = recovery;
  const memories = Object.keys(before).map(
    (name) =>
      `${name} ${mib(before, name)} MiB, at most ${mib(peaks, name)}, ${mib(resident, name)} after, ${mib(held, name)} held`,
  );
  const outcomes = Object.entries(effect.outcomes).map(([outcome, count]) => `${outcome} ${count}×`);
  const worked = Object.entries(effect.cpuSeconds).map(([name, own]) => `${name} ${own.toFixed(1)} s`);
  return [
    `calm: ${describeFigures(calm)}`,
    `attacked: ${describeFigures(attacked)}`,
    recovery.broken.length > 0 ? 'not recovered' : `recovered in ${recovery.ms} ms`,
    memories.join('; '),
    `the attacker got ${outcomes.join(', ') || 'no answers'}`,
    `CPU time of the attack: ${worked.join(', ')}`,
  ].join(' | ');
}
