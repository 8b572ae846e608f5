import { createReadStream, statSync } from 'node:fs';
import { CommandFailure } from '../output/failure.ts';
import { reasonOf } from './read-text.ts';

/** Successive lines of a file. */
export interface LineBatch {
  readonly lines: readonly string[];
  /** The number of the first one, from 1. */
  readonly first: number;
  /** The bytes of the file that have been read. */
  readonly bytes: number;
}

const PIECE_BYTES = 1024 * 1024;
const LINE_FEED = 10;

/** The size of a file in bytes; null for the standard input, which `-` names. */
export const fileSize = (path: string): number | null => (path === '-' ? null : statSync(path).size);

/**
 * Reads the lines of a UTF-8 file in batches of about a megabyte. `-` is the standard input. Throws a `CommandFailure` that
 * names the file where it cannot be read, and the line for bytes that are not UTF-8.
 */
export async function* readLines(path: string, signal: AbortSignal): AsyncGenerator<LineBatch> {
  let rest: Buffer[] = [];
  let first = 1;
  let bytes = 0;
  for await (const piece of readPieces(path)) {
    signal.throwIfAborted();
    bytes += piece.length;
    const end = piece.lastIndexOf(LINE_FEED);
    if (end === -1) {
      rest.push(piece);
      continue;
    }
    const lines = decode(Buffer.concat([...rest, piece.subarray(0, end)]), path, first);
    rest = [piece.subarray(end + 1)];
    yield { lines, first, bytes };
    first += lines.length;
  }
  const last = Buffer.concat(rest);
  if (last.length > 0) yield { lines: decode(last, path, first), first, bytes };
}

async function* readPieces(path: string): AsyncGenerator<Buffer> {
  try {
    yield* (
      path === '-' ? process.stdin : createReadStream(path, { highWaterMark: PIECE_BYTES })
    ) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new CommandFailure(`${path}: ${reasonOf(error)}`);
  }
}

const strict = new TextDecoder('utf-8', { fatal: true });

function decode(piece: Buffer, path: string, first: number): string[] {
  try {
    return strict.decode(piece).split('\n');
  } catch {
    let line = first;
    for (let from = 0; ; line++) {
      const end = piece.indexOf(LINE_FEED, from);
      try {
        strict.decode(piece.subarray(from, end === -1 ? undefined : end));
      } catch {
        throw new CommandFailure(`${path}:${line}:1: the line is not UTF-8`);
      }
      if (end === -1) throw new CommandFailure(`${path}:${line}:1: the line is not UTF-8`);
      from = end + 1;
    }
  }
}
