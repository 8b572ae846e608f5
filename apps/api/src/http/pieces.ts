const PIECE_LENGTH = 65_536;

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
