import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { SMALL_BODY_BYTES_MAX, tooLargeText } from '@access-admin/contract';
import { type Cause, fail, failure, type MalformedBody, ok, type Result } from '@access-admin/domain';
import type { Acquired, Slot } from '@access-admin/scheduling';
import type { RequestContext } from '../env.ts';

/** Why a body could not be read. */
export type BodyFailure =
  | { readonly type: 'BodyTooLarge'; readonly causes: readonly Cause[] }
  | { readonly type: 'Unavailable'; readonly causes: readonly Cause[]; readonly retryAfterSeconds?: number }
  | MalformedBody;

export type Body = Result<Uint8Array<ArrayBuffer>, BodyFailure>;

/** How much of a body is read. */
export interface BodyLimits {
  readonly bytesMax: number;
  /** Opens the slot for the bytes of a body, once it has more than 64 KiB. Left out where bodies are small. */
  readonly openSlot?: () => Pick<Slot, 'acquire'>;
}

/**
 * Reads the whole body of a request, and never holds more than `bytesMax` bytes of it. A body that ends early is noted in the
 * state of the request.
 */
export const readBody = (c: RequestContext, limits: BodyLimits): Promise<Body> =>
  readStream(streamOf(c), limits, () => {
    c.env.state.isBodyAborted = true;
  });

/** Node's message, which can be paused while its body waits for memory. Without a socket the body of the `Request`. */
function streamOf(c: RequestContext): Readable {
  if (c.env.incoming !== undefined) return c.env.incoming;
  const { body } = c.req.raw;
  return body === null ? Readable.from([]) : Readable.fromWeb(body as WebStream);
}

/**
 * Reads a stream and never holds more than `bytesMax` bytes of it. While it waits for memory, nothing more is read from its sender.
 * By events: an asynchronous iteration takes several times as long for the one chunk that most bodies are.
 */
export const readStream = (
  stream: Readable,
  { bytesMax, openSlot }: BodyLimits,
  onAborted: () => void,
): Promise<Body> =>
  new Promise((resolve) => {
    let chunks: Uint8Array<ArrayBuffer>[] | null = [];
    let total = 0;
    let slot: Pick<Slot, 'acquire'> | null = null;
    const end = (body: Body) => {
      chunks = null;
      resolve(body);
    };
    const abort = () => {
      if (chunks === null) return;
      onAborted();
      end(BODY_ABORTED);
    };
    const settle = (acquired: Acquired) => {
      if (!acquired.ok && chunks !== null)
        end(fail({ ...BODIES_BUSY, retryAfterSeconds: acquired.failure.retryAfterSeconds }));
      // What still arrives of a refused body is discarded.
      stream.resume();
    };
    const reserve = (bytes: number, from: Pick<Slot, 'acquire'>) => {
      const acquired = from.acquire(bytes);
      if (!(acquired instanceof Promise)) return acquired.ok ? undefined : settle(acquired);
      stream.pause();
      void acquired.then(settle);
    };
    // A sender that left before its body was asked for causes no event any more.
    if (stream.destroyed) return abort();
    stream.on('data', (chunk: Uint8Array<ArrayBuffer>) => {
      total += chunk.byteLength;
      if (chunks === null) return;
      if (total > bytesMax) return end(fail(bodyTooLarge(bytesMax)));
      chunks.push(chunk);
      if (total <= FREE_BYTES || openSlot === undefined) return;
      const bytes = slot === null ? total : chunk.byteLength;
      slot ??= openSlot();
      reserve(bytes, slot);
    });
    stream.on('end', () => {
      if (chunks !== null) end(ok(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
    });
    // Node emits an error of an incoming message only if it has a listener.
    stream.on('close', abort);
  });

/** A body of this size is not counted: it arrives in few packets, and is parsed within a millisecond. */
export const FREE_BYTES = SMALL_BODY_BYTES_MAX;

/** A body that ended before it was complete. */
const BODY_ABORTED = fail<MalformedBody>(
  failure('MalformedBody', '', 'The body ended before it was complete: send all of it.'),
);

const BODIES_BUSY = {
  type: 'Unavailable',
  causes: [{ at: '', text: 'Too many large bodies are being processed: try again later.' }],
} as const satisfies BodyFailure;

export const bodyTooLarge = (bytesMax: number): BodyFailure => ({
  type: 'BodyTooLarge',
  causes: [{ at: '', text: tooLargeText(bytesMax) }],
});
