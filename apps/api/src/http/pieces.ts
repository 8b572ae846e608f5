const PIECE_LENGTH = 65_536;

/** Joins short pieces of a text into chunks of at least 65,536 UTF-16 units, as each piece of an answer waits for a turn of the event loop. */
export async function* inChunks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const piece of pieces) {
    chunk += piece;
    if (chunk.length < PIECE_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/**
 * A text of one piece as a string, since each piece of an answer waits for a turn of the event loop; a longer one in its pieces. Rejects if the
 * first pieces cannot be made.
 */
export async function joinShort(pieces: AsyncGenerator<string>): Promise<string | AsyncIterable<string>> {
  const first = await pieces.next();
  if (first.done === true) return '';
  const second = await pieces.next();
  return second.done === true ? first.value : prepend([first.value, second.value], pieces);
}

async function* prepend(earlier: readonly string[], pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield* earlier;
    yield* pieces;
  } finally {
    // A reader may leave before the later pieces are begun.
    await pieces.return(undefined);
  }
}

/** Cuts a text into pieces of 65,536 UTF-16 units. None ends between the two halves of a character. */
export function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const to = from + PIECE_LENGTH;
    const end = isHighSurrogate(text.charCodeAt(to - 1)) ? to + 1 : to;
    yield text.slice(from, end);
    from = end;
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
