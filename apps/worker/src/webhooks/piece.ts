import type { EventPlace } from '@access-admin/store';

/** The bytes that are read at once, unless one event has more. */
export const PIECE_BYTES_MAX = 64 * 1024;
/** What the rest of an event takes, beside its data. */
const ENVELOPE_BYTES = 1024;

/** The bytes that events take in memory. */
export const sizeOf = (places: readonly EventPlace[]): number =>
  places.reduce((sum, { bytes }) => sum + bytes + ENVELOPE_BYTES, 0);

/** The first events, as many as are read at once: of larger ones, one. */
export function takePiece(places: readonly EventPlace[]): readonly EventPlace[] {
  let end = 1;
  while (end < places.length && sizeOf(places.slice(0, end + 1)) <= PIECE_BYTES_MAX) end += 1;
  return places.slice(0, end);
}
