import type { Readable } from 'node:stream';
import { fail, failure, type MalformedBody, ok, type Result } from '@access-admin/domain';
import type { HttpFailure } from './problem.ts';

/** Why a body could not be had. */
export type BodyFailure = Extract<HttpFailure, { type: 'BodyTooLarge' }> | MalformedBody;

export type Body = Result<Uint8Array, BodyFailure>;

export const readBody = (stream: Readable, bytesMax: number): Promise<Body> =>
  new Promise((resolve) => collectBody(stream, bytesMax, resolve));

/**
 * Reads a body, never holding more than `bytesMax` bytes of it; calls back once. By events: an asynchronous iteration takes
 * several times as long for the one chunk that most bodies are.
 */
export function collectBody(stream: Readable, bytesMax: number, callback: (body: Body) => void): void {
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
    if (total > bytesMax) end(fail(bodyTooLarge(bytesMax)));
    else chunks?.push(chunk);
  });
  stream.on('end', () => {
    if (chunks !== null) end(ok(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
  });
  stream.on('error', () => end(CUT));
  stream.on('close', () => end(CUT));
}

/** A body that ended before it was whole. */
export const CUT = fail<MalformedBody>(failure('MalformedBody', '', 'The body ended early.'));

export const bodyTooLarge = (bytesMax: number): BodyFailure => ({
  type: 'BodyTooLarge',
  causes: [{ at: '', text: `The body may have at most ${bytesMax} bytes.` }],
});
