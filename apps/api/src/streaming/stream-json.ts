import type { RequestContext } from '../env.ts';
import type { Job, Pause } from '../event-loop/jobs.ts';
import { requestClosed, reset } from '../http/connection.ts';
import { endOfPiece, PIECE_LENGTH, piecesOf } from '../http/pieces.ts';
import { refusalOfStream } from '../middleware/errors.ts';

/** A text that may be long. */
export interface LongText {
  /** Made when they are taken. */
  readonly pieces: Iterable<string> | AsyncIterable<string>;
  /** Its deadline holds for the first chunk only; later chunks wait for the reader. */
  readonly job?: Job;
  /** Whether later pieces may take long: then the answer begins with the first one, however short it is. */
  readonly isSlow?: boolean;
  /** Called once the text has been sent or is given up, after its pieces have ended. */
  readonly release?: () => void;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * Answers a text that may be long: JSON, unless the headers name another type. The guard of connections sees the progress of a
 * slow reader by whole pieces, so a text of more than one is streamed. Rejects if the beginning of the text cannot be made, so that
 * the request can still be refused. Not by `c.body`, which makes a `Headers` object of several headers and so sorts them.
 */
export function streamJson(
  c: RequestContext,
  text: string | LongText,
  headers: Readonly<Record<string, string>> = {},
): Response | Promise<Response> {
  const all = { ...JSON_TYPE, ...headers };
  if (typeof text !== 'string') return streamBody(c, text).then((body) => new Response(body, { headers: all }));
  if (text.length <= PIECE_LENGTH) return new Response(text, { headers: all });
  const length = String(Buffer.byteLength(text));
  const body = c.req.method === 'HEAD' ? null : ReadableStream.from(encoded(piecesOf(text)));
  return new Response(body, { headers: { ...all, 'content-length': length } });
}

function* encoded(pieces: Iterable<string>): Generator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}

/** The pieces of a text in chunks of about `PIECE_LENGTH`. */
interface Chunks {
  /** Makes the next chunk, of this length if there is as much, with pauses between its pieces. */
  next(pause: Pause, length?: number): Promise<string>;
  /** Whether all has been made. */
  isOver(): boolean;
  /** Closes the pieces, and resolves when they are closed. */
  close(): Promise<unknown>;
}

function createChunks(pieces: LongText['pieces']): Chunks {
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  let made = '';
  let isMade = false;
  return {
    next: async (pause, length = PIECE_LENGTH) => {
      while (made.length < length && !isMade) {
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
    },
    isOver: () => isMade && made === '',
    close: async () => iterator.return?.(),
  };
}

/**
 * Makes the body of an answer: a string of a short text, a stream of a longer one, or null for HEAD of a longer one.
 * Nothing is made ahead of a slow reader. However the answer ends, even by a reset, its pieces are closed. An error after the
 * beginning resets the connection, because an orderly end would look like that of the text.
 */
export async function streamBody(
  c: RequestContext,
  { pieces, job, isSlow = false, release }: LongText,
): Promise<string | ReadableStream<Uint8Array> | null> {
  const { state, services } = c.env;
  const { scheduler, jobs, log } = services;
  const tenant = state.caller?.tenant ?? '';
  const chunks = createChunks(pieces);
  const { promise: streamed, resolve: noteEnd } = Promise.withResolvers<void>();
  const left = requestClosed(c);
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    left.removeEventListener('abort', end);
    noteEnd();
    void chunks
      .close()
      .catch(() => {})
      .finally(release);
  };
  left.addEventListener('abort', end, { once: true });
  if (left.aborted) end();

  const pause = () => jobs.yieldIfDue(tenant);
  let chunk: string | null;
  try {
    chunk = await chunks.next(job === undefined ? pause : jobs.pauseOf(job), isSlow ? 1 : PIECE_LENGTH);
  } catch (error) {
    end();
    throw error;
  }
  if (chunks.isOver() || c.req.method === 'HEAD') {
    end();
    return chunks.isOver() ? chunk : null;
  }
  state.streamed = streamed;
  const send = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    await scheduler.yield(tenant);
    const next = chunk ?? (await chunks.next(pause));
    chunk = null;
    // Nothing can be added to the answer of a reader that has left meanwhile.
    if (isOver) return;
    if (next !== '') controller.enqueue(Buffer.from(next));
    if (!chunks.isOver()) return;
    end();
    controller.close();
  };
  const breakOff = (controller: ReadableStreamDefaultController<Uint8Array>, error: unknown) => {
    if (isOver) return;
    state.refusal = refusalOfStream(error, state.trackingId, log) ?? state.refusal;
    end();
    if (c.env.incoming === undefined) return controller.error(error);
    reset(c);
    controller.close();
  };
  return new ReadableStream<Uint8Array>(
    { pull: (controller) => send(controller).catch((error) => breakOff(controller, error)), cancel: end },
    { highWaterMark: 0 },
  );
}
