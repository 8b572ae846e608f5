import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import { CommandFailure } from '../output/failure.ts';

/** How a file of any encoding is read. */
export interface DecodedReading {
  readonly encoding: string;
  readonly signal: AbortSignal;
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

// What is made of a piece is in memory together: little of it is, and dies young.
const PIECE_BYTES = 16 * 1024;

/**
 * Reads a file as text in pieces, without a byte order mark. Throws a `CommandFailure` that names the line from which on the bytes are
 * not of the encoding.
 */
export async function* readDecoded(
  path: string,
  { encoding, signal, onProgress }: DecodedReading,
): AsyncGenerator<string> {
  const decoder = decoderOf(path, encoding);
  let bytes = 0;
  let lines = 1;
  const decode = (piece?: Buffer) => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch {
      const advice = encoding === 'utf-8' ? ': give --encoding latin1' : '';
      throw new CommandFailure(`${path}:${lines}:1: not ${encoding} here or in one of the next lines${advice}`);
    }
  };
  const pieces: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: PIECE_BYTES });
  for await (const piece of pieces) {
    signal.throwIfAborted();
    const text = decode(piece);
    bytes += piece.length;
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines++;
    onProgress?.(bytes);
    yield text;
  }
  yield decode();
}

/** A decoder that refuses bytes of another encoding. Throws a `CommandFailure` where the encoding is not known. */
export function decoderOf(path: string, encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new CommandFailure(
      `${path}: ${encoding} is not an encoding that is known: utf-8, latin1, utf-16le, utf-16be`,
    );
  }
}
