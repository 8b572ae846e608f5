import type { Readable } from 'node:stream';
import { fail, failure, type MalformedBody, ok, type Result } from '@access-admin/domain';
import type { HttpFailure } from './problem.ts';

/** Why a body could not be had. */
export type BodyFailure = Extract<HttpFailure, { type: 'BodyTooLarge' }> | MalformedBody;

/** Reads a body, never holding more than `bytesMax` bytes of it. */
export async function readBody(stream: Readable, bytesMax: number): Promise<Result<Uint8Array, BodyFailure>> {
  const bytes = await collect(stream, bytesMax);
  if (bytes === 'tooLarge') return fail(bodyTooLarge(bytesMax));
  return bytes === 'cut' ? fail(failure('MalformedBody', '', 'The body ended early.')) : ok(bytes);
}

export const bodyTooLarge = (bytesMax: number): BodyFailure => ({
  type: 'BodyTooLarge',
  causes: [{ at: '', text: `The body may have at most ${bytesMax} bytes.` }],
});

/** By events: an asynchronous iteration takes several times as long for the one chunk that most bodies are. */
function collect(stream: Readable, bytesMax: number): Promise<Uint8Array | 'tooLarge' | 'cut'> {
  return new Promise((resolve) => {
    // The sender may have left before we came to its body; nothing would tell us any more.
    if (stream.destroyed) return resolve('cut');
    const chunks: Uint8Array[] = [];
    let total = 0;
    stream.on('data', (chunk: Uint8Array) => {
      total += chunk.byteLength;
      if (total <= bytesMax) return chunks.push(chunk);
      chunks.length = 0;
      return resolve('tooLarge');
    });
    stream.on('end', () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
    stream.on('error', () => resolve('cut'));
    stream.on('close', () => resolve('cut'));
  });
}
