import { fail, ok, type Result } from '@access-admin/domain';
import type { Semaphore, Slot } from '@access-admin/scheduling';
import type { Job, Jobs } from '../../event-loop/jobs.ts';
import { requestClosed } from '../../http/connection.ts';
import type { RequestContext } from '../../http/env.ts';
import type { ApiFailure } from '../../http/problem.ts';
import { noCapacity } from '../answers/no-capacity.ts';

/** What long answers are made with: jobs that let others go on, and the few slots for those under way at the same time. */
export interface LongAnswerDeps {
  readonly jobs: Jobs;
  readonly explaining: Semaphore;
}

/** The refusal of a long prediction for which there is no slot. */
export const EXPLAINING_FULL =
  'The tenant has too many long predictions under way: wait for some of them, or ask for fewer at once.';

/** Work that may use a slot, which it gives back by its end. */
export interface LongWork {
  readonly job: Job & { readonly left: AbortSignal };
  readonly slot: Slot;
}

/** Begins the work on a request. The end of the exchange gives the slot back, whatever becomes of the request. */
export function beginLongWork({ jobs, explaining }: LongAnswerDeps, tenant: string, c: RequestContext): LongWork {
  const left = requestClosed(c);
  const job = { ...jobs.begin(tenant, left), left };
  jobs.check(job);
  const slot = explaining.open(tenant, { signal: () => left });
  left.addEventListener('abort', () => slot.release(), { once: true });
  return { job, slot };
}

/** Waits for a slot. */
export async function acquireSlot({ slot }: LongWork): Promise<Result<null, ApiFailure>> {
  const acquired = await slot.acquire();
  return acquired.ok ? ok(null) : fail(noCapacity(acquired.failure, EXPLAINING_FULL));
}

const CHUNK_LENGTH = 65_536;
const WORK_MS_MAX = 1;

/** Text that is made piece by piece: what there is of it so far, and the rest, null if there is none. */
export interface Beginning {
  readonly text: string;
  readonly rest: Iterator<string> | null;
}

/** Makes a text at once, unless it is long or takes long: then only its beginning. */
export const beginText = ({ elapsed }: Pick<Jobs, 'elapsed'>, pieces: Iterable<string>): Beginning =>
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
  jobs: Jobs,
  { job, slot }: LongWork,
  beginning: Beginning,
): Promise<AsyncIterable<string>> {
  const chunks = makeChunks(jobs, job, beginning);
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

async function* makeChunks(jobs: Jobs, job: Job, beginning: Beginning): AsyncGenerator<string, undefined> {
  let { text, rest } = beginning;
  while (rest !== null) {
    if (text.length >= CHUNK_LENGTH) {
      yield text;
      text = '';
    }
    await jobs.yield(job);
    ({ text, rest } = goOn(jobs.elapsed, { text, rest }));
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
