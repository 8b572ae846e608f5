import { fail, ok, type Result } from '@access-admin/domain';
import type { Job, Pace } from '../../event-loop/pace.ts';
import { ended } from '../../http/connection.ts';
import type { RequestContext } from '../../http/env.ts';
import type { ApiFailure } from '../../http/problem.ts';
import type { RoomShare, SharedRoom } from '../../rooms/shared-room.ts';
import { roomFull } from '../answers/room-full.ts';

/** What long answers are made with: turns of the event loop, and the few slots for those under way at the same time. */
export interface LongAnswerDeps {
  readonly pace: Pace;
  readonly explaining: SharedRoom;
}

/** The refusal of a long prediction for which there is no slot. */
export const EXPLAINING_FULL =
  'The tenant has too many long predictions under way: wait for some of them, or ask for fewer at once.';

/** Work that may use a slot, which it gives back by its end. */
export interface LongWork {
  readonly job: Job & { readonly left: AbortSignal };
  readonly slot: RoomShare;
}

/** Begins the work on a request. The end of the exchange gives the slot back, whatever becomes of the request. */
export function beginLongWork({ pace, explaining }: LongAnswerDeps, tenant: string, c: RequestContext): LongWork {
  const left = ended(c);
  const job = { ...pace.begin(tenant, left), left };
  pace.check(job);
  const slot = explaining.open(tenant, () => left);
  left.addEventListener('abort', () => slot.release(), { once: true });
  return { job, slot };
}

/** Waits for a slot. */
export async function takeSlot({ slot }: LongWork): Promise<Result<null, ApiFailure>> {
  const taken = await slot.take(1);
  return taken.ok ? ok(null) : fail(roomFull(taken.failure, EXPLAINING_FULL));
}

const CHUNK_LENGTH = 65_536;
const WORK_MS_MAX = 1;

/** Text that is made piece by piece: what there is of it so far, and the rest, null if there is none. */
export interface Beginning {
  readonly text: string;
  readonly rest: Iterator<string> | null;
}

/** Makes a text at once, unless it is long or takes long: then only its beginning. */
export const beginText = ({ elapsed }: Pick<Pace, 'elapsed'>, pieces: Iterable<string>): Beginning =>
  goOn(elapsed, { text: '', rest: pieces[Symbol.iterator]() });

function goOn(elapsed: () => number, { text: before, rest }: Beginning): Beginning {
  const untilMs = elapsed() + WORK_MS_MAX;
  let text = before;
  for (let count = 1; rest !== null && text.length < CHUNK_LENGTH; count++) {
    const piece = rest.next();
    if (piece.done === true) return { text, rest: null };
    text += piece.value;
    // Most pieces take less time than to ask for it.
    if (count % 8 === 0 && elapsed() >= untilMs) break;
  }
  return { text, rest };
}

/**
 * The rest of a text in chunks, made while they are sent: one piece of work in each turn of the event loop. The first chunk
 * exists when the promise resolves, so that work which ends before it can still be refused. The slot is given back with the
 * last chunk, or when the receiver leaves.
 */
export async function chunksOf(
  pace: Pace,
  { job, slot }: LongWork,
  beginning: Beginning,
): Promise<AsyncIterable<string>> {
  const chunks = makeChunks(pace, job, beginning);
  const end = () => {
    slot.release();
    void chunks.return(undefined);
  };
  job.left.addEventListener('abort', end, { once: true });
  try {
    const first = await chunks.next();
    return untilEnd(first, chunks, () => {
      job.left.removeEventListener('abort', end);
      slot.release();
    });
  } catch (error) {
    slot.release();
    throw error;
  }
}

async function* makeChunks(pace: Pace, job: Job, beginning: Beginning): AsyncGenerator<string, undefined> {
  let { text, rest } = beginning;
  while (rest !== null) {
    if (text.length >= CHUNK_LENGTH) {
      yield text;
      text = '';
    }
    await pace.turn(job);
    ({ text, rest } = goOn(pace.elapsed, { text, rest }));
  }
  if (text !== '') yield text;
}

async function* untilEnd(
  first: IteratorResult<string, unknown>,
  chunks: AsyncGenerator<string>,
  onEnd: () => void,
): AsyncGenerator<string> {
  try {
    if (first.done === true) return;
    yield first.value;
    yield* chunks;
  } finally {
    onEnd();
    await chunks.return(undefined);
  }
}
