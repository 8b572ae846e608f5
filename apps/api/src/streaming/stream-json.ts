import type { Scheduler } from '@access-admin/scheduling';
import type { Job, Jobs, Pause } from '../event-loop/jobs.ts';
import { requestClosed, reset } from '../http/connection.ts';
import type { Refusal, RequestContext } from '../http/env.ts';
import { endOfPiece, PIECE_LENGTH } from '../http/pieces.ts';

/** A text that may be long. */
export interface LongText {
  /** Made when they are taken. */
  readonly pieces: Iterable<string> | AsyncIterable<string>;
  /** Its deadline holds for the first chunk only; later chunks wait for the reader. */
  readonly job?: Job;
  /** Called once the text has been sent or is given up, after its pieces have ended. */
  readonly release?: () => void;
}

export interface StreamDeps {
  /** One chunk per turn of the event loop, so a short request waits for one chunk at most, however many long answers there are. */
  readonly scheduler: Pick<Scheduler, 'yield'>;
  /** Long pieces let others go on. */
  readonly jobs: Pick<Jobs, 'pauseOf' | 'yieldIfDue'>;
  /** What the log line says of an error that ends the answer early; null for one that is logged by itself. */
  readonly onError: (error: unknown, trackingId: string) => Refusal | null;
}

/**
 * Makes the body of an answer: a string of a short text, a stream of a longer one, or null for HEAD of a longer one. Rejects if the
 * beginning of the text cannot be made, so that the request can still be refused.
 */
export type StreamJson = (c: RequestContext, text: LongText) => Promise<string | ReadableStream<Uint8Array> | null>;

/**
 * Nothing is made ahead of a slow reader. However the answer ends, even by a reset, its pieces are closed. An error after the beginning resets the connection, because an orderly end would look like that of the text.
 */
export const createStreamJson =
  ({ scheduler, jobs, onError }: StreamDeps): StreamJson =>
  async (c, { pieces, job, release }) => {
    const state = c.get('state');
    const tenant = state.caller?.tenant ?? '';
    const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
    const { promise: streamed, resolve: noteEnd } = Promise.withResolvers<void>();
    const left = requestClosed(c);
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      left.removeEventListener('abort', end);
      noteEnd();
      const ended = iterator.return?.();
      if (ended instanceof Promise) void ended.catch(() => {}).finally(release);
      else release?.();
    };
    left.addEventListener('abort', end, { once: true });
    if (left.aborted) end();

    let made = '';
    let isMade = false;
    const makeChunk = async (pause: Pause): Promise<string> => {
      while (made.length < PIECE_LENGTH && !isMade) {
        const next = iterator.next();
        // Most pieces take less time than to await one that is there.
        const piece = next instanceof Promise ? await next : next;
        if (piece.done === true) isMade = true;
        else made += piece.value;
        const pausing = pause();
        if (pausing !== undefined) await pausing;
      }
      const to = endOfPiece(made, 0);
      const chunk = made.slice(0, to);
      made = made.slice(to);
      return chunk;
    };
    const pause = () => jobs.yieldIfDue(tenant);
    const isLast = () => isMade && made === '';

    let chunk: string | null;
    try {
      chunk = await makeChunk(job === undefined ? pause : jobs.pauseOf(job));
    } catch (error) {
      end();
      throw error;
    }
    if (isLast() || c.req.method === 'HEAD') {
      end();
      return isLast() ? chunk : null;
    }
    state.streamed = streamed;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            await scheduler.yield(tenant);
            const next = chunk ?? (await makeChunk(pause));
            chunk = null;
            // Nothing can be added to the answer of a reader that has left meanwhile.
            if (isOver) return;
            if (next !== '') controller.enqueue(Buffer.from(next));
            if (!isLast()) return;
            end();
            controller.close();
          } catch (error) {
            if (isOver) return;
            state.refusal = onError(error, state.trackingId) ?? state.refusal;
            end();
            if (c.env?.incoming === undefined) return controller.error(error);
            reset(c);
            controller.close();
          }
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    );
  };
