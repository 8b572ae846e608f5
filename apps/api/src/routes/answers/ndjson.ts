const CHUNK_LENGTH = 65_536;

/** JSON lines as they come, so that their number does not show in memory. Rejects where the storage is away at the start. */
export async function ndjsonOf(read: () => AsyncIterable<unknown>): Promise<AsyncIterable<string>> {
  // Once the answer has begun, storage that is away can only cut it.
  for await (const _ of read()) break;
  return toLines(read());
}

async function* toLines(records: AsyncIterable<unknown>): AsyncGenerator<string> {
  let chunk = '';
  for await (const record of records) {
    chunk += `${JSON.stringify(record)}\n`;
    if (chunk.length >= CHUNK_LENGTH) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}
