const CHUNK_LENGTH = 65_536;

/** JSON lines in chunks, so that memory does not grow with their number. Rejects if the storage is unavailable at the start. */
export async function ndjsonOf(read: () => AsyncIterable<unknown>): Promise<AsyncIterable<string>> {
  // Once the response has begun, a failure of the storage can only end it early.
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
