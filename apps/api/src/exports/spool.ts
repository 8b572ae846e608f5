import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { RoomShare } from '../rooms/shared-room.ts';
import { createSegments } from './segments.ts';

/** Text that waits on disk for a slow reader, compressed. */
export interface Spool {
  /** Whether nothing is in it or on its way into it. */
  readonly isEmpty: boolean;
  /** The time that `append` has waited for room, in ms. */
  readonly waitedMs: number;
  /** Appends text behind the earlier one; `noRoom` after waiting for it, `failed` if the disk is full or cannot be written. */
  append(text: string): Promise<'stored' | 'noRoom' | 'failed'>;
  /** The earliest text that was not read yet; null without any. */
  read(): Promise<Uint8Array | null>;
  close(): void;
}

export interface SpoolOptions {
  readonly directory: string;
  /** The part of the room for bytes on disk that this spool takes from. */
  readonly share: RoomShare;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
}

const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const compress = promisify<Buffer, typeof FASTEST, Buffer>(zstdCompress);
const decompress = promisify<Buffer, Buffer>(zstdDecompress);

export function createSpool({ directory, share, elapsed }: SpoolOptions): Spool {
  const segments = createSegments(directory);
  let [isAppending, isClosed, waitedMs] = [false, false, 0];
  const takeRoom = async (bytes: number): Promise<boolean> => {
    const sinceMs = elapsed();
    const taken = await share.take(bytes);
    waitedMs += elapsed() - sinceMs;
    if (taken.ok && isClosed) share.release(bytes);
    return taken.ok && !isClosed;
  };
  const append: Spool['append'] = async (text) => {
    const block = await compress(Buffer.from(text), FASTEST);
    if (!(await takeRoom(block.length))) return 'noRoom';
    try {
      await segments.write(block);
      return 'stored';
    } catch {
      share.release(block.length);
      return 'failed';
    }
  };
  return {
    get isEmpty() {
      return segments.unread === 0 && !isAppending;
    },
    get waitedMs() {
      return waitedMs;
    },
    append: async (text) => {
      isAppending = true;
      try {
        return await append(text);
      } finally {
        isAppending = false;
      }
    },
    read: async () => {
      const block = await segments.read();
      if (block === null) return null;
      share.release(block.length);
      return decompress(block);
    },
    close: () => {
      isClosed = true;
      segments.close();
      share.release();
    },
  };
}
