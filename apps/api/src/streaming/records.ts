/** The text of JSON lines. */
export async function* linesOf(records: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`;
}

/** The text of a JSON array of values that are JSON already. */
export async function* jsonArrayOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let separator = '[';
  for await (const text of texts) {
    yield separator + text;
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}
