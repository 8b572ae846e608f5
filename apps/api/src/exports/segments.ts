import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Blocks of bytes, first in, first out, in files without a name: they vanish with the process. */
export interface Segments {
  /** The blocks that were written and not read. */
  readonly unread: number;
  /** Rejects if the disk is full or cannot be written; then nothing is added. */
  write(block: Buffer): Promise<void>;
  /** The earliest block that was not read yet; null without any. */
  read(): Promise<Buffer | null>;
  close(): void;
}

interface Segment {
  readonly file: FileHandle;
  readonly blocks: { readonly at: number; readonly length: number }[];
  size: number;
}

// A file is removed when it has been read, so the disk is not occupied by all that was ever written.
const SEGMENT_BYTES = 8 * 1024 * 1024;

/** `newId` gives each file a name of its own, and `removeName` removes it. */
export function createSegments(directory: string, newId: () => string, removeName = unlink): Segments {
  const segments: Segment[] = [];
  let unread = 0;
  let isClosed = false;
  return {
    get unread() {
      return unread;
    },
    write: async (block) => {
      const last = segments.at(-1);
      const segment =
        last !== undefined && last.size < SEGMENT_BYTES
          ? last
          : await openSegment(join(directory, `access-admin-${newId()}`), removeName);
      if (segment !== last) segments.push(segment);
      // Closed while the file was opened: `close` did not see it.
      if (isClosed) await segment.file.close();
      const at = segment.size;
      for (let written = 0; written < block.length; )
        written += (await segment.file.write(block, written, block.length - written, at + written)).bytesWritten;
      segment.size += block.length;
      segment.blocks.push({ at, length: block.length });
      unread += 1;
    },
    read: async () => {
      const [segment] = segments;
      const block = segment?.blocks.shift();
      if (segment === undefined || block === undefined) return null;
      const { buffer, bytesRead } = await segment.file.read(Buffer.alloc(block.length), 0, block.length, block.at);
      if (bytesRead !== block.length) throw new Error('A block on disk is incomplete.');
      unread -= 1;
      if (segment.blocks.length === 0 && segment.size >= SEGMENT_BYTES) {
        segments.shift();
        await segment.file.close();
      }
      return buffer;
    },
    close: () => {
      isClosed = true;
      for (const { file } of segments.splice(0)) void file.close().catch(() => {});
    },
  };
}

/** The file loses its name at once; only its owner could read it before. */
async function openSegment(path: string, removeName: typeof unlink): Promise<Segment> {
  const file = await open(path, 'wx+', 0o600);
  try {
    await removeName(path);
  } catch (error) {
    await file.close();
    throw error;
  }
  return { file, blocks: [], size: 0 };
}
