import { setTimeout as delay } from 'node:timers/promises';
import { type CampaignRun, type Outcome, summed } from '../campaign/campaign.ts';
import { createRandom, drawOne } from '../campaign/random.ts';
import { startThread } from '../campaign/start-thread.ts';
import { type Measures, readMeasures } from '../http/read-measures.ts';
import type { CallerFigures, CallersData } from './caller-thread.ts';
import { SENDING_MS_MAX, SLOW_KINDS, type Target } from './slow-kinds.ts';
import { openSlowSocket, type SlowSocket } from './slow-socket.ts';
import { isPending, isReader, type SlowKindReport, verifySockets } from './verify-sockets.ts';

const CALLERS = 20;
const CALL_EVERY_MS = 100;
const WARM_UP_MS = 4_000;
const WARM_UP_EXPORTS = 20;
const QUIET_MS = 8_000;
/** What the slow sockets may add to twice the time of the callers alone, as no other tenant may feel them by more. */
const P99_MS_MORE = 50;
const RESIDENT_BYTES_MORE = 100 * 2 ** 20;
const SETTLE_MS = 30_000;
const POLL_MS = 100;
/** Within this time a reader that reads on is finished or notices that it was cut. */
const READ_ON_MS = 10_000;

interface Seen {
  readonly sockets: readonly SlowKindReport[];
  readonly quiet: CallerFigures;
  readonly attacked: CallerFigures;
  readonly after: CallerFigures;
  readonly before: Measures;
  readonly during: Measures;
  readonly end: Measures;
}

/** Attacks a server and returns the broken promises. */
export async function attackTarget(target: Target, run: CampaignRun): Promise<Outcome> {
  const { log, signal } = run;
  const baseAddress = `http://127.0.0.1:${target.port}`;
  const data: CallersData = { baseAddress, token: target.token, callers: CALLERS, everyMs: CALL_EVERY_MS };
  await using callers = startThread<CallerFigures>(new URL('./caller-thread.ts', import.meta.url), data);
  await readExports(baseAddress, target, signal);
  await delay(WARM_UP_MS, undefined, { signal });
  await callers.ask();
  await delay(QUIET_MS, undefined, { signal });
  const quiet = await callers.ask();
  const before = await readMeasures(baseAddress);
  const sockets = openSockets(target, run);
  try {
    log(`${sockets.length} sockets, callers without them: ${textOf(quiet)}`);
    const senders = sockets.filter(({ kind }) => kind.openMsMax === SENDING_MS_MAX);
    await untilClosed(senders, signal);
    const attacked = await callers.ask();
    const during = await readMeasures(baseAddress);
    log(`callers beside them: ${textOf(attacked)}; ${ms(during.cpuSeconds - before.cpuSeconds)} s of CPU`);
    const verified = verifySockets(await untilVerifiable(sockets, senders, signal));
    let end = during;
    const isSettled = async () => {
      end = await readMeasures(baseAddress);
      return end.residentBytes - before.residentBytes <= RESIDENT_BYTES_MORE;
    };
    await pollUntil(isSettled, SETTLE_MS, signal);
    const seen = { sockets: verified, quiet, attacked, after: await callers.ask(), before, during, end };
    return { counts: countsOf(seen, run), broken: brokenOf(seen) };
  } finally {
    for (const socket of sockets) socket.end();
  }
}

/** Sends ordinary requests first, so that their memory is not attributed to the attack. */
async function readExports(baseAddress: string, { token }: Target, signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, connection: 'close' };
  for (let read = 0; read < WARM_UP_EXPORTS; read++) {
    const answer = await fetch(`${baseAddress}/access-model/v1/export`, { headers, signal });
    await answer.arrayBuffer();
  }
}

/** Waits also for the sockets with a longer limit, unless the promise is already broken. */
async function untilVerifiable(
  sockets: readonly SlowSocket[],
  senders: readonly SlowSocket[],
  signal: AbortSignal,
): Promise<readonly SlowSocket[]> {
  if (verifySockets(senders).some(({ late }) => late > 0)) return senders;
  const readers = sockets.filter(isReader);
  await untilClosed(readers, signal);
  for (const reader of readers) reader.readAll();
  const isOver = ({ endMs, hasWholeAnswer }: SlowSocket) => endMs !== null || hasWholeAnswer;
  await pollUntil(() => readers.every(isOver), READ_ON_MS, signal);
  await untilClosed(sockets, signal);
  return sockets;
}

/** Opens all sockets at once, in random order. */
function openSockets(target: Target, { seed, count }: CampaignRun): readonly SlowSocket[] {
  const random = createRandom(seed);
  const kinds = SLOW_KINDS.flatMap((kind) => Array.from({ length: kind.share }, () => kind));
  return Array.from({ length: count }, () => openSlowSocket(drawOne(random, kinds), random, target));
}

/** Waits until each socket is closed or its time is over. */
const untilClosed = (sockets: readonly SlowSocket[], signal: AbortSignal) =>
  pollUntil(() => !sockets.some(isPending), Number.POSITIVE_INFINITY, signal);

/** Polls until a condition holds or the time is over. */
async function pollUntil(isDone: () => boolean | Promise<boolean>, msMax: number, signal: AbortSignal): Promise<void> {
  const endMs = performance.now() + msMax;
  while (!(await isDone()) && performance.now() < endMs) await delay(POLL_MS, undefined, { signal });
}

const mib = (bytes: number) => Math.round(bytes / 2 ** 20);
const ms = (value: number) => value.toFixed(1);
const textOf = ({ calls, p50Ms, p99Ms, maxMs }: CallerFigures) =>
  `${calls} calls, p50 ${ms(p50Ms)} ms, p99 ${ms(p99Ms)} ms, at most ${ms(maxMs)} ms`;

const abortedOf = ({ sockets }: Seen) => sockets.find(({ kind }) => kind.aborts)?.sockets ?? 0;

function countsOf(seen: Seen, { count }: CampaignRun): Outcome['counts'] {
  const { sockets, quiet, attacked, before, during, end } = seen;
  const longest = sockets.map(({ kind, sockets: own, longestMs, late }) => [
    kind.name,
    kind.reads !== 'all' ? `${own}, ${late} not cut` : `${own}, ${late} late, ${ms(longestMs / 1000)} s at most`,
  ]);
  return {
    sockets: count,
    ...Object.fromEntries(longest),
    'callers without them': textOf(quiet),
    'callers beside them': textOf(attacked),
    'MiB before and after': `${mib(before.residentBytes)} and ${mib(end.residentBytes)}, ${mib(during.residentBytes)} during`,
    'CPU seconds of the process during': ms(during.cpuSeconds - before.cpuSeconds),
    'aborted uploads counted': end.abortedUploads - before.abortedUploads,
    'connections cut': end.cutConnections - before.cutConnections,
  };
}

function brokenOf(seen: Seen): readonly string[] {
  const { sockets, quiet, attacked, after, before, end } = seen;
  const wrong = [quiet, attacked, after].flatMap((figures) => figures.wrong);
  const broken = sockets
    .filter(({ late }) => late > 0)
    .map(({ kind, late }) => `${late} sockets were not closed in time: ${kind.name}`);
  broken.push(...summed('calls got wrong answers', wrong));
  if (attacked.p99Ms > 2 * quiet.p99Ms + P99_MS_MORE)
    broken.push(`p99 of the others was ${ms(attacked.p99Ms)} ms, and ${ms(quiet.p99Ms)} ms without the attack`);
  if (after.calls === 0) broken.push('callers get no answers after the attack');
  if (end.serverErrors > 0) broken.push(`${end.serverErrors} answers had a status of 500 or above`);
  if (end.residentBytes - before.residentBytes > RESIDENT_BYTES_MORE)
    broken.push(`the process kept ${mib(end.residentBytes - before.residentBytes)} MiB`);
  if (end.abortedUploads - before.abortedUploads < abortedOf(seen))
    broken.push(`${abortedOf(seen)} uploads were aborted, ${end.abortedUploads - before.abortedUploads} counted`);
  return broken;
}
