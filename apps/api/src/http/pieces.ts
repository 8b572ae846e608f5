/** In UTF-16 units. */
export const PIECE_LENGTH = 65_536;

/** Cuts a text into pieces. */
export function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from);
    yield text.slice(from, to);
    from = to;
  }
}

/** The end of the piece that begins at an index: not between the two halves of a character. */
export function endOfPiece(text: string, from: number): number {
  const to = from + PIECE_LENGTH;
  return isHighSurrogate(text.charCodeAt(to - 1)) ? to + 1 : to;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
