import { isUtf8 } from 'node:buffer';
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

/** Successive lines of a file, as bytes. */
export interface LinePiece extends Omit<LineBatch, 'lines'> {
  /** Without the line feed of the last line. */
  readonly content: Buffer<ArrayBuffer>;
}

/**
 * Reads the lines of a file in pieces of about a megabyte. `-` is the standard input. Throws a `CommandFailure` that names the file
 * where it cannot be read.
 */
export async function* readLinePieces(path: string, signal: AbortSignal): AsyncGenerator<LinePiece> {
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
    const content = Buffer.concat([...rest, piece.subarray(0, end)]);
    rest = [piece.subarray(end + 1)];
    yield { content, first, bytes };
    first += countLines(content);
  }
  const content = Buffer.concat(rest);
  if (content.length > 0) yield { content, first, bytes };
}

function countLines(content: Buffer): number {
  let count = 1;
  for (let at = content.indexOf(LINE_FEED); at !== -1; at = content.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

/** The lines of a piece. */
export function* linesOf(content: Buffer): Generator<Buffer> {
  for (let from = 0; ; ) {
    const end = content.indexOf(LINE_FEED, from);
    yield content.subarray(from, end === -1 ? undefined : end);
    if (end === -1) return;
    from = end + 1;
  }
}

/**
 * Reads the lines of a UTF-8 file in batches of about a megabyte. Throws a `CommandFailure` as `readLinePieces` does, and one that
 * names the line for bytes that are not UTF-8.
 */
export async function* readLines(path: string, signal: AbortSignal): AsyncGenerator<LineBatch> {
  for await (const { content, first, bytes } of readLinePieces(path, signal))
    yield { lines: decode(content, path, first), first, bytes };
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
    const line = first + [...linesOf(piece)].findIndex((bytes) => !isUtf8(bytes));
    throw new CommandFailure(`${path}:${line}:1: the line is not UTF-8`);
  }
}
