import { setTimeout as delay } from 'node:timers/promises';
import { summed } from '../campaign/campaign.ts';
import type { Fleet } from '../service/open-fleet.ts';
import {
  CHECK,
  createSend,
  EXPORT,
  INCOMPLETE_STATUS,
  isExactRefusal,
  PREDICT,
  type ProbeAnswer,
  type ProbeRequest,
  READS,
  resultOf,
  type Send,
  writesOf,
} from './probe-requests.ts';

const PAUSE_MS = 25;
const READ_MS_MAX = 1_000;
/** More writes would measure the queue instead of the service. */
const WRITES_OPEN_MAX = 30;

/** A fault and the operations that it prevents. */
export interface ProbedFault {
  readonly name: string;
  /** Whether no write can be stored while it lasts. */
  readonly stopsWrites: boolean;
  /** Whether reads that need a new connection, such as those of a changed rulebook, fail while it lasts. */
  readonly stopsConnections: boolean;
}

export type Probes = Awaited<ReturnType<typeof createProbes>>;

/** Sends raw requests to a service with failing storage, and collects wrong answers. */
export async function createProbes({ apis, register }: Fleet) {
  const { token } = await register();
  const senders = apis.map(({ baseAddress }) => createSend(baseAddress, token));
  const book = createBook();
  const writing = new Set<Promise<void>>();
  let number = 0;

  const write = (fault: ProbedFault, untilMs: number) => {
    number += 1;
    for (const send of writing.size < WRITES_OPEN_MAX ? senders : []) {
      for (const request of writesOf(number)) {
        const written = send(request)
          .then((seen) => book.recordWrite(fault, request, { ...seen, isDuring: seen.endedMs < untilMs }))
          .finally(() => writing.delete(written));
        writing.add(written);
      }
    }
  };

  const read = async (fault: ProbedFault) => {
    const startMs = performance.now();
    const reads = senders.flatMap((send) =>
      READS.map(async (request) => {
        const seen = await send(request);
        book.recordRead(fault, request, { ...seen, tookMs: seen.endedMs - startMs });
      }),
    );
    await Promise.all(reads);
  };

  return {
    /** Sends reads and writes to every API until the given time. */
    during: async (fault: ProbedFault, untilMs: number) => {
      for (; performance.now() < untilMs; await delay(PAUSE_MS)) {
        write(fault, untilMs);
        await read(fault);
      }
    },
    /** Writes until every API accepts writes again; resolves with how long that took. */
    heal: async (fault: ProbedFault, msMax: number) => {
      const startMs = performance.now();
      const accepted = await Promise.all(senders.map((send) => untilAccepted(send, startMs + 2 * msMax)));
      const tookMs = Math.round(performance.now() - startMs);
      const isHealed = accepted.every(({ status }) => status === 202) && tookMs <= msMax;
      if (isHealed) await Promise.all(accepted.map((seen, at) => senders[at]?.(resultOf(seen))));
      book.recordHealing(fault, { isHealed, tookMs, resultMs: Math.round(performance.now() - startMs), accepted });
      await Promise.all(writing);
      return tookMs;
    },
    counts: () => book.counts,
    broken: () => summed('wrong answers', book.broken),
  };
}

async function untilAccepted(send: Send, endMs: number): Promise<ProbeAnswer> {
  let seen = await send(CHECK);
  while (isExactRefusal(seen) && performance.now() < endMs) {
    await delay(PAUSE_MS);
    seen = await send(CHECK);
  }
  return seen;
}

interface Healing {
  readonly isHealed: boolean;
  readonly tookMs: number;
  readonly resultMs: number;
  readonly accepted: readonly ProbeAnswer[];
}

/** Counts the answers and describes wrong ones. */
function createBook() {
  const counts = {
    'writes refused': 0,
    'writes taken': 0,
    'reads during faults': 0,
    'exports cut': 0,
    'slowest healing ms': 0,
    'slowest result ms after it': 0,
  };
  const broken: string[] = [];
  const report = (fault: ProbedFault, what: string, { status, text }: ProbeAnswer) =>
    broken.push(`${fault.name}: ${what} was answered ${status} ${text.slice(0, 300)}`);
  return {
    counts,
    broken,
    recordWrite: (fault: ProbedFault, request: ProbeRequest, seen: ProbeAnswer & { readonly isDuring: boolean }) => {
      const isTaken = seen.status >= 200 && seen.status < 300;
      counts[isTaken ? 'writes taken' : 'writes refused'] += 1;
      const isRight = isTaken ? !(fault.stopsWrites && seen.isDuring) : isExactRefusal(seen);
      if (!isRight) report(fault, `${request.method} ${request.path}`, seen);
    },
    recordRead: (fault: ProbedFault, request: ProbeRequest, seen: ProbeAnswer & { readonly tookMs: number }) => {
      counts['reads during faults'] += 1;
      // A long answer fails after it has begun: the connection is closed before its end.
      const isCut = request === EXPORT && seen.status === INCOMPLETE_STATUS;
      if (isCut) counts['exports cut'] += 1;
      const isRefused = (request === EXPORT || request === PREDICT) && isExactRefusal(seen);
      const isRight = seen.status === 200 || (fault.stopsConnections && (isCut || isRefused));
      if (!isRight) report(fault, request.path, seen);
      if (seen.tookMs > READ_MS_MAX) report(fault, `${request.path}, after ${Math.round(seen.tookMs)} ms,`, seen);
    },
    recordHealing: (fault: ProbedFault, { isHealed, tookMs, resultMs, accepted }: Healing) => {
      counts['slowest healing ms'] = Math.max(counts['slowest healing ms'], tookMs);
      counts['slowest result ms after it'] = Math.max(counts['slowest result ms after it'], resultMs);
      if (isHealed) return;
      for (const seen of accepted) report(fault, `a check ${tookMs} ms after it`, seen);
    },
  };
}
