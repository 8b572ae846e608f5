import { setTimeout as delay } from 'node:timers/promises';
import type { CampaignRun, Outcome } from '../campaign/campaign.ts';
import { createRandom, type Random } from '../campaign/random.ts';
import { GRANT } from '../load/company.ts';
import type { CallerFigures } from './caller-thread.ts';
import { type Measures, readMeasures } from './measures.ts';
import { openSlowSocket, SHARES, type SlowKind, type SlowSocket, type Target } from './slow-socket.ts';
import { type Callers, startCallers } from './start-callers.ts';
import { deadlineOf, isIdler, isReader, type SlowKindReport, verifySockets } from './verify-sockets.ts';

const CALLERS = 20;
const CALL_EVERY_MS = 100;
const WARM_UP_MS = 4_000;
const WARM_UP_EXPORTS = 20;
const QUIET_MS = 8_000;
const P99_MS_MAX = 50;
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
  const body = JSON.stringify(GRANT);
  await using callers = startCallers({ ...target, callers: CALLERS, everyMs: CALL_EVERY_MS, body });
  const seen = await watch(target, callers, run);
  return { counts: countsOf(seen, run), broken: brokenOf(seen) };
}

async function watch(target: Target, callers: Callers, run: CampaignRun): Promise<Seen> {
  const { log, signal } = run;
  await readExports(target, signal);
  await delay(WARM_UP_MS, undefined, { signal });
  await callers.look();
  await delay(QUIET_MS, undefined, { signal });
  const quiet = await callers.look();
  const before = await readMeasures(target.port);
  const sockets = openSockets(target, run);
  try {
    log(`${sockets.length} sockets, callers without them: ${textOf(quiet)}`);
    const senders = sockets.filter((socket) => !isReader(socket) && !isIdler(socket));
    await untilClosed(senders, signal);
    const attacked = await callers.look();
    const during = await readMeasures(target.port);
    log(`callers beside them: ${textOf(attacked)}; ${ms(during.cpuSeconds - before.cpuSeconds)} s of CPU`);
    const verified = await untilVerifiable(sockets, senders, signal);
    const end = await settled(target, before, signal);
    return { sockets: verifySockets(verified), quiet, attacked, after: await callers.look(), before, during, end };
  } finally {
    for (const socket of sockets) socket.end();
  }
}

/** Sends ordinary requests first, so that their memory is not attributed to the attack. */
async function readExports({ port, token }: Target, signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, connection: 'close' };
  for (let read = 0; read < WARM_UP_EXPORTS; read++) {
    const answer = await fetch(`http://127.0.0.1:${port}/access-model/v1/export`, { headers, signal });
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
  const readOnMs = performance.now();
  while (readers.some(({ endMs, hasWholeAnswer }) => endMs === null && !hasWholeAnswer)) {
    if (performance.now() - readOnMs > READ_ON_MS) break;
    await delay(POLL_MS, undefined, { signal });
  }
  await untilClosed(sockets.filter(isIdler), signal);
  return sockets;
}

/** Opens all sockets at once, in random order. */
function openSockets(target: Target, { seed, count }: CampaignRun): readonly SlowSocket[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => openSlowSocket(drawManner(random), random, target));
}

function drawManner(random: Random): SlowKind {
  const shares = Object.entries(SHARES) as readonly (readonly [SlowKind, number])[];
  let left = random(shares.reduce((total, [, share]) => total + share, 0));
  for (const [kind, share] of shares) {
    if (left < share) return kind;
    left -= share;
  }
  return 'silent';
}

/** Waits until each socket is closed or its deadline is over. The end of readers is not visible. */
async function untilClosed(sockets: readonly SlowSocket[], signal: AbortSignal): Promise<void> {
  const isOpen = (socket: SlowSocket) => {
    if (socket.endMs !== null || (isReader(socket) && socket.hasWholeAnswer)) return false;
    // The time of a socket starts when it has connected.
    return socket.startMs === null || deadlineOf(socket) > performance.now();
  };
  while (sockets.some(isOpen)) await delay(POLL_MS, undefined, { signal });
}

async function settled({ port }: Target, before: Measures, signal: AbortSignal): Promise<Measures> {
  const startMs = performance.now();
  for (;;) {
    const now = await readMeasures(port);
    const isBack = now.residentBytes - before.residentBytes <= RESIDENT_BYTES_MORE;
    if (isBack || performance.now() - startMs > SETTLE_MS) return now;
    await delay(POLL_MS * 5, undefined, { signal });
  }
}

const mib = (bytes: number) => Math.round(bytes / 2 ** 20);
const ms = (value: number) => value.toFixed(1);
const textOf = ({ calls, p50Ms, p99Ms, maxMs }: CallerFigures) =>
  `${calls} calls, p50 ${ms(p50Ms)} ms, p99 ${ms(p99Ms)} ms, at most ${ms(maxMs)} ms`;

const abortedOf = ({ sockets }: Seen) => sockets.find(({ kind }) => kind === 'aborted uploads')?.sockets ?? 0;

function countsOf(seen: Seen, { count }: CampaignRun): Outcome['counts'] {
  const { sockets, quiet, attacked, before, during, end } = seen;
  const longest = sockets.map(({ kind, sockets: own, longestMs, late }) => [
    kind,
    kind.startsWith('answers') ? `${own}, ${late} not cut` : `${own}, ${late} late, ${ms(longestMs / 1000)} s at most`,
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
    .map(({ kind, late }) => `${late} sockets were not closed in time: ${kind}`);
  if (wrong.length > 0) broken.push(`${wrong.length} calls got wrong answers, such as: ${wrong[0]}`);
  if (attacked.p99Ms > P99_MS_MAX) broken.push(`p99 of the others was ${ms(attacked.p99Ms)} ms`);
  if (after.calls === 0) broken.push('callers get no answers after the attack');
  if (end.serverErrors > 0) broken.push(`${end.serverErrors} answers had a status of 500 or above`);
  if (end.residentBytes - before.residentBytes > RESIDENT_BYTES_MORE)
    broken.push(`the process kept ${mib(end.residentBytes - before.residentBytes)} MiB`);
  if (end.abortedUploads - before.abortedUploads < abortedOf(seen))
    broken.push(`${abortedOf(seen)} uploads were aborted, ${end.abortedUploads - before.abortedUploads} counted`);
  return broken;
}
