import type { Readable } from 'node:stream';
import { type Cause, fail, failure, type MalformedBody, ok, type Result } from '@access-admin/domain';
import type { BodyShare } from './body-share.ts';

/** Why a body could not be read. */
export type BodyFailure =
  | { readonly type: 'BodyTooLarge'; readonly causes: readonly Cause[] }
  | { readonly type: 'Unavailable'; readonly causes: readonly Cause[] }
  | MalformedBody;

export type Body = Result<Uint8Array, BodyFailure>;

/** How much of a body is read. */
export interface BodyRoom {
  readonly bytesMax: number;
  /** Null where bodies are small. */
  readonly share: BodyShare | null;
}

/**
 * Reads a body and never holds more than `bytesMax` bytes of it. By events: an asynchronous iteration takes several times as
 * long for the one chunk that most bodies are.
 */
export const readBody = (stream: Readable, { bytesMax, share }: BodyRoom, onAborted: () => void): Promise<Body> =>
  new Promise((resolve) => {
    let chunks: Uint8Array[] | null = [];
    let total = 0;
    const end = (body: Body) => {
      chunks = null;
      resolve(body);
    };
    const abort = () => {
      if (chunks === null) return;
      onAborted();
      end(BODY_ABORTED);
    };
    // A sender that left before its body was asked for causes no event any more.
    if (stream.destroyed) return abort();
    stream.on('data', (chunk: Uint8Array) => {
      total += chunk.byteLength;
      if (chunks === null) return;
      if (total > bytesMax) end(fail(bodyTooLarge(bytesMax)));
      else if (share !== null && !share.take(chunk.byteLength)) end(NO_ROOM);
      else chunks.push(chunk);
    });
    stream.on('end', () => {
      if (chunks !== null) end(ok(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
    });
    // Node emits an error of an incoming message only if it has a listener.
    stream.on('close', abort);
  });

/** A body that ended before it was complete. */
const BODY_ABORTED = fail<MalformedBody>(
  failure('MalformedBody', '', 'The body ended before it was complete: send all of it.'),
);

const NO_ROOM = fail<BodyFailure>({
  type: 'Unavailable',
  causes: [{ at: '', text: 'Too many large bodies are being processed: try again later.' }],
});

export const bodyTooLarge = (bytesMax: number): BodyFailure => ({
  type: 'BodyTooLarge',
  causes: [{ at: '', text: `The body can have at most ${bytesMax} bytes.` }],
});
