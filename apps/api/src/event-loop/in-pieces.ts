import type { InPieces } from '@access-admin/domain';
import type { Pause } from './jobs.ts';

/** Runs long work in pieces and yields to the event loop between them. Rejects when the work is cancelled. */
export async function runInPieces<T>(work: InPieces<T>, pause: Pause): Promise<T> {
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value;
    const pausing = pause();
    // Awaiting nothing would take longer than most pieces.
    if (pausing !== undefined) await pausing;
  }
}
