/** The text of a JSON array of values that are JSON already. */
export async function* jsonArrayOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let separator = '[';
  for await (const text of texts) {
    yield separator + text;
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}
