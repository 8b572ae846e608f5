/** The lines of a text, without line ends. */
export function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end === -1 ? text.length : end);
    start = end === -1 ? text.length : end + 1;
  }
}
