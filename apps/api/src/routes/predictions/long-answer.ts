import type { NoCapacity, Slot } from '@access-admin/scheduling';
import type { RequestContext } from '../../env.ts';
import type { Job, Jobs } from '../../event-loop/jobs.ts';
import { callerOf } from '../../http/caller.ts';
import { requestClosed } from '../../http/connection.ts';
import { PIECE_LENGTH } from '../../http/pieces.ts';
import { noCapacity } from '../answers/no-capacity.ts';

/** The refusal of a long prediction for which there is no slot. */
export const explainingFull = (refused: NoCapacity) =>
  noCapacity(
    refused,
    'The tenant has too many long predictions under way: wait for some of them, or ask for fewer at once.',
  );

/** Work that may use a slot. */
export interface LongWork {
  readonly job: Job;
  readonly slot: Slot;
}

/** Begins the work on a request. Its end ends the wait for a slot. */
export function beginLongWork(c: RequestContext): LongWork {
  const { jobs, semaphores } = c.env.services;
  const { tenant } = callerOf(c);
  const left = requestClosed(c);
  return { job: jobs.begin(tenant, left), slot: semaphores.explaining.open(tenant, { signal: () => left }) };
}

const WORK_MS_MAX = 1;

/** What there is of a text that is made piece by piece, and the rest; null if there is none. */
export interface Beginning {
  readonly text: string;
  readonly rest: Iterable<string> | null;
}

/** Makes a text at once, unless it is long or takes long: then only its beginning. */
export function beginText({ elapsed }: Pick<Jobs, 'elapsed'>, pieces: Generator<string>): Beginning {
  const untilMs = elapsed() + WORK_MS_MAX;
  let text = '';
  for (let count = 1; text.length < PIECE_LENGTH; count++) {
    const piece = pieces.next();
    if (piece.done === true) return { text, rest: null };
    text += piece.value;
    // Most pieces take less time than to ask for it.
    if (count % 8 === 0 && elapsed() >= untilMs) break;
  }
  return { text, rest: pieces };
}

/** The pieces of a text, none of which is begun when the work is to end. */
export function* untilDeadline(jobs: Pick<Jobs, 'check'>, job: Job, { text, rest }: Beginning): Generator<string> {
  yield text;
  for (const piece of rest ?? []) {
    yield piece;
    jobs.check(job);
  }
}
