import { tmpdir } from 'node:os';
import {
  EXPORT_HELD_SECONDS_MAX,
  EXPORT_READS_MAX,
  EXPORT_SPOOL_BYTES_MAX,
  EXPORT_WAIT_SECONDS_MAX,
  EXPORTS_MAX,
} from '@access-admin/contract';
import { fail, ok, type Result } from '@access-admin/domain';
import { createSemaphore, type Scheduler } from '@access-admin/scheduling';
import type { BodyFailure } from '../http/read-body.ts';
import { Unavailable } from '../http/unavailable.ts';
import { withOnEnd } from '../http/with-on-end.ts';
import type { SemaphoreMetrics, SemaphoreName } from '../telemetry/semaphore-metrics.ts';
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
  readonly metrics: SemaphoreMetrics;
  /** Text is made in turns of the event loop. */
  readonly scheduler: Pick<Scheduler, 'yield'>;
  /** For text that waits for its reader; it must be on a disk, not in memory. */
  readonly directory?: string;
}

const READ_FULL = 'Too many exports are being read: try again later.';
const FULL = 'Too many exports are being answered: try again later, and take running ones faster.';
const refused = (text: string) => fail<Refused>({ type: 'Unavailable', causes: [{ at: '', text }] });
const tooSlow = () =>
  new Unavailable('ExportHeld', 'The export was taken too slowly, and there was no room on disk to wait.');

export function createExports({ elapsed, newId, scheduler, metrics, directory = tmpdir() }: ExportsDeps): Exports {
  const semaphore = (name: SemaphoreName, capacity: number, { waitingMax = 0, waitSeconds = 0 } = {}) =>
    metrics.addSemaphore(name, createSemaphore({ capacity, waitingMax, waitMsMax: waitSeconds * 1000, elapsed }));
  const answers = semaphore('exports', EXPORTS_MAX);
  const reads = semaphore('export_reads', EXPORT_READS_MAX, {
    waitingMax: EXPORTS_MAX,
    waitSeconds: EXPORT_WAIT_SECONDS_MAX,
  });
  // Where the disk is full, text waits in memory, where its reader finds it.
  const disk = semaphore('export_text', EXPORT_SPOOL_BYTES_MAX);

  const withSlot = async (
    { tenant, left }: ExportReader,
    open: () => Promise<Result<Text, Refused>>,
  ): Promise<Result<Text, Refused>> => {
    const slot = answers.open(tenant);
    if (!(await slot.acquire()).ok) return refused(FULL);
    let isOpen = false;
    try {
      const text = await open();
      isOpen = text.ok;
      return text.ok ? ok(withOnEnd(text.value, left, () => slot.release())) : text;
    } finally {
      if (!isOpen) slot.release();
    }
  };
  return {
    fromSnapshot: (reader, read) =>
      withSlot(reader, async () => {
        const { tenant, left } = reader;
        const reading = reads.open(tenant, { signal: () => left });
        if (!(await reading.acquire()).ok) return refused(READ_FULL);
        const spool = createSpool({ directory, newId, openSlot: () => disk.open(tenant) });
        const heldMsMax = EXPORT_HELD_SECONDS_MAX * 1000;
        const relay = openRelay(read(), {
          spool,
          yieldToOthers: () => scheduler.yield(tenant),
          heldMsMax,
          elapsed,
          tooSlow,
        });
        void relay.produced.then(() => reading.release());
        if (left.aborted) relay.stop();
        else left.addEventListener('abort', relay.stop, { once: true });
        await relay.started;
        return ok(relay.pieces);
      }),
    fromLog: (reader, read) =>
      withSlot(reader, async () => {
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
