import type { Readable } from 'node:stream';
import { type Cause, fail, failure, type MalformedBody, ok, type Result } from '@access-admin/domain';
import type { BodyShare } from './body-budget.ts';

/** Why a body could not be had. */
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

export const readBody = (stream: Readable, room: BodyRoom): Promise<Body> =>
  new Promise((resolve) => collectBody(stream, room, resolve));

/**
 * Reads a body, never holding more than `bytesMax` bytes of it; calls back once. By events: an asynchronous iteration takes
 * several times as long for the one chunk that most bodies are.
 */
export function collectBody(stream: Readable, { bytesMax, share }: BodyRoom, callback: (body: Body) => void): void {
  let chunks: Uint8Array[] | null = [];
  let total = 0;
  const end = (body: Body) => {
    if (chunks === null) return;
    chunks = null;
    callback(body);
  };
  // The sender may have left before we came to its body; nothing would tell us any more.
  if (stream.destroyed) {
    end(CUT);
    return;
  }
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
  stream.on('error', () => end(CUT));
  stream.on('close', () => end(CUT));
}

/** A body that ended before it was whole. */
export const CUT = fail<MalformedBody>(failure('MalformedBody', '', 'The body ended early.'));

const NO_ROOM = fail<BodyFailure>({
  type: 'Unavailable',
  causes: [{ at: '', text: 'Too many large bodies are in work.' }],
});

export const bodyTooLarge = (bytesMax: number): BodyFailure => ({
  type: 'BodyTooLarge',
  causes: [{ at: '', text: `The body may have at most ${bytesMax} bytes.` }],
});
