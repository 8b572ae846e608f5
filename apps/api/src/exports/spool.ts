import { promisify } from 'node:util';
// Not by names: an older Node would fail on them before it is refused.
import zlib from 'node:zlib';
import type { RoomShare } from '../rooms/shared-room.ts';
import { createSegments } from './segments.ts';

/** Text that waits on disk for a slow reader, compressed. Each append and read costs a compressor, so texts should be long. */
export interface Spool {
  /** Whether nothing is in it or on its way into it. */
  readonly isEmpty: boolean;
  /** Appends text behind the earlier one; `noRoom` without room for it, `failed` if the disk is full or cannot be written. */
  append(text: string): Promise<'stored' | 'noRoom' | 'failed'>;
  /** The earliest text that was not read yet; null without any. */
  read(): Promise<Uint8Array | null>;
  close(): void;
}

export interface SpoolOptions {
  readonly directory: string;
  readonly newId: () => string;
  /** Opens a share of the room for bytes on disk, for one block. */
  readonly openShare: () => RoomShare;
}

const FASTEST = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
const compress = promisify<Buffer, typeof FASTEST, Buffer>(zlib.zstdCompress);
const decompress = promisify<Buffer, { readonly chunkSize: number }, Buffer>(zlib.zstdDecompress);
const CHUNK_BYTES_MIN = 1024;

export function createSpool({ directory, newId, openShare }: SpoolOptions): Spool {
  const segments = createSegments(directory, newId);
  /** The unread blocks: their length before compression, and their room. A block that waits for room is the last. */
  const blocks: { readonly length: number; readonly share: RoomShare }[] = [];
  let isAppending = false;
  let isClosed = false;
  const takeRoom = async (share: RoomShare, bytes: number): Promise<boolean> => {
    const taken = await share.take(bytes);
    return taken.ok && !isClosed;
  };
  const append: Spool['append'] = async (text) => {
    const bytes = Buffer.from(text);
    const block = await compress(bytes, FASTEST);
    const share = openShare();
    blocks.push({ length: bytes.length, share });
    let outcome: 'stored' | 'noRoom' | 'failed' = 'noRoom';
    if (await takeRoom(share, block.length))
      outcome = await segments.write(block).then(
        () => 'stored',
        () => 'failed',
      );
    if (outcome === 'stored') return outcome;
    share.release();
    blocks.pop();
    return outcome;
  };
  return {
    get isEmpty() {
      return segments.unread === 0 && !isAppending;
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
      const { length = 0, share } = blocks.shift() ?? {};
      share?.release();
      // Larger chunks than the text has would be allocated in vain, smaller ones joined.
      return decompress(block, { chunkSize: Math.max(length, CHUNK_BYTES_MIN) });
    },
    close: () => {
      isClosed = true;
      segments.close();
      for (const { share } of blocks.splice(0)) share.release();
    },
  };
}
