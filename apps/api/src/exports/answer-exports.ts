import { tmpdir } from 'node:os';
import {
  EXPORT_HELD_SECONDS_MAX,
  EXPORT_READS_MAX,
  EXPORT_SPOOL_BYTES_MAX,
  EXPORT_WAIT_SECONDS_MAX,
  EXPORTS_MAX,
} from '@access-admin/contract';
import { fail, ok, type Result } from '@access-admin/domain';
import type { TakeTurn } from '../event-loop/fair-turns.ts';
import type { BodyFailure } from '../http/read-body.ts';
import { Unavailable } from '../http/unavailable.ts';
import { withOnEnd } from '../http/with-on-end.ts';
import { createSharedRoom } from '../rooms/shared-room.ts';
import type { RoomMetrics, RoomName } from '../telemetry/room-metrics.ts';
import { openRelay } from './relay.ts';
import { createSpool } from './spool.ts';

/** Whose export it is, and when its reader leaves. */
export interface ExportReader {
  readonly tenant: string;
  readonly left: AbortSignal;
}

type Text = AsyncIterable<string | Uint8Array>;
type Refused = Extract<BodyFailure, { readonly type: 'Unavailable' }>;

/** Answers exports within what all of them may occupy. Both methods reject if the storage is unavailable at the start. */
export interface Exports {
  /** Text that is made from a snapshot of the database, which ends when all is made, however slowly it is read. */
  fromSnapshot(reader: ExportReader, read: () => AsyncIterable<string>): Promise<Result<Text, Refused>>;
  /** Text that needs no snapshot: it is made as it is read. */
  fromLog(reader: ExportReader, read: () => AsyncGenerator<string>): Promise<Result<Text, Refused>>;
}

export interface ExportsDeps {
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly newId: () => string;
  readonly metrics: RoomMetrics;
  /** The turns of the event loop in which text is made. */
  readonly turn: TakeTurn;
  /** For text that waits for its reader; it must be on a disk, not in memory. */
  readonly directory?: string;
}

const READ_FULL = 'Too many exports are being read: try again later.';
const FULL = 'Too many exports are being answered: try again later, and take running ones faster.';
const refused = (text: string) => fail<Refused>({ type: 'Unavailable', causes: [{ at: '', text }] });
const tooSlow = () =>
  new Unavailable('ExportHeld', 'The export was taken too slowly, and there was no room on disk to wait.');

export function createExports({ elapsed, newId, turn, metrics, directory = tmpdir() }: ExportsDeps): Exports {
  const room = (name: RoomName, size: number, { waitingMax = 0, waitSeconds = 0 } = {}) =>
    metrics.addRoom(name, createSharedRoom({ size, waitingMax, waitMsMax: waitSeconds * 1000, elapsed }));
  const answers = room('exports', EXPORTS_MAX);
  const reads = room('export_reads', EXPORT_READS_MAX, {
    waitingMax: EXPORTS_MAX,
    waitSeconds: EXPORT_WAIT_SECONDS_MAX,
  });
  // Without room, text waits in memory, where its reader finds it.
  const disk = room('export_text', EXPORT_SPOOL_BYTES_MAX);

  const withPlace = async (
    { tenant, left }: ExportReader,
    open: () => Promise<Result<Text, Refused>>,
  ): Promise<Result<Text, Refused>> => {
    const place = answers.open(tenant);
    if (!(await place.take(1)).ok) return refused(FULL);
    let isOpen = false;
    try {
      const text = await open();
      isOpen = text.ok;
      return text.ok ? ok(withOnEnd(text.value, left, place.release.bind(place, undefined))) : text;
    } finally {
      if (!isOpen) place.release();
    }
  };
  return {
    fromSnapshot: (reader, read) =>
      withPlace(reader, async () => {
        const { tenant, left } = reader;
        const reading = reads.open(tenant, () => left);
        if (!(await reading.take(1)).ok) return refused(READ_FULL);
        const spool = createSpool({ directory, newId, openShare: () => disk.open(tenant) });
        const heldMsMax = EXPORT_HELD_SECONDS_MAX * 1000;
        const relay = openRelay(read(), { spool, turn: () => turn(tenant), heldMsMax, elapsed, tooSlow });
        void relay.produced.then(() => reading.release());
        if (left.aborted) relay.stop();
        else left.addEventListener('abort', relay.stop, { once: true });
        await relay.started;
        return ok(relay.pieces);
      }),
    fromLog: (reader, read) =>
      withPlace(reader, async () => {
        const pieces = read();
        const first = await pieces.next();
        return ok(first.done ? pieces : prepend(first.value, pieces));
      }),
  };
}

async function* prepend(first: string, others: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first;
  yield* others;
}
