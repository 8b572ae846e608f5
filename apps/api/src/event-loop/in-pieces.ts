import type { InPieces } from '@access-admin/domain';
import type { Pause } from './jobs.ts';

/** Does long work with pauses between its pieces. Rejects when the work is to end. */
export async function runInPieces<T>(work: InPieces<T>, pause: Pause): Promise<T> {
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value;
    const pausing = pause();
    // Awaiting nothing would take longer than most pieces.
    if (pausing !== undefined) await pausing;
  }
}
