import { promisify } from 'node:util';
// Not by names: an older Node would fail on them before it is refused.
import zlib from 'node:zlib';
import type { Slot } from '@access-admin/scheduling';
import { createSegments } from './segments.ts';

/** Text that waits on disk for a slow reader, compressed. Each append and read costs a compressor, so texts should be long. */
export interface Spool {
  /** Whether nothing is in it or on its way into it. */
  readonly isEmpty: boolean;
  /** Appends text behind the earlier one; `full` where all bytes are held, `failed` if the disk is full or cannot be written. */
  append(text: string): Promise<'stored' | 'full' | 'failed'>;
  /** The earliest text that was not read yet; null without any. */
  read(): Promise<Uint8Array | null>;
  close(): void;
}

export interface SpoolOptions {
  readonly directory: string;
  readonly newId: () => string;
  /** Opens a slot for the bytes of one block on disk. */
  readonly openSlot: () => Slot;
}

const FASTEST = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
const compress = promisify<Buffer, typeof FASTEST, Buffer>(zlib.zstdCompress);
const decompress = promisify<Buffer, { readonly chunkSize: number }, Buffer>(zlib.zstdDecompress);
const CHUNK_BYTES_MIN = 1024;

export function createSpool({ directory, newId, openSlot }: SpoolOptions): Spool {
  const segments = createSegments(directory, newId);
  /** The unread blocks: their length before compression, and their bytes on disk. A block that waits for bytes is the last. */
  const blocks: { readonly length: number; readonly slot: Slot }[] = [];
  let isAppending = false;
  let isClosed = false;
  const acquire = async (slot: Slot, bytes: number): Promise<boolean> => {
    const acquired = await slot.acquire(bytes);
    return acquired.ok && !isClosed;
  };
  const append: Spool['append'] = async (text) => {
    const bytes = Buffer.from(text);
    const block = await compress(bytes, FASTEST);
    const slot = openSlot();
    blocks.push({ length: bytes.length, slot });
    let outcome: 'stored' | 'full' | 'failed' = 'full';
    if (await acquire(slot, block.length))
      outcome = await segments.write(block).then(
        () => 'stored',
        () => 'failed',
      );
    if (outcome === 'stored') return outcome;
    slot.release();
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
      const { length = 0, slot } = blocks.shift() ?? {};
      slot?.release();
      // Larger chunks than the text has would be allocated in vain, smaller ones joined.
      return decompress(block, { chunkSize: Math.max(length, CHUNK_BYTES_MIN) });
    },
    close: () => {
      isClosed = true;
      segments.close();
      for (const { slot } of blocks.splice(0)) slot.release();
    },
  };
}
