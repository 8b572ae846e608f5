import { AccessAdminError } from '../errors.ts';

/** Parses JSON lines as their bytes arrive in pieces of any size. Rejects if they are not UTF-8 or not JSON. */
export async function* parseNdjson<T>(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<T, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + guarded(() => decoder.decode(piece, { stream: true }))).split('\n');
    rest = lines.pop() ?? '';
    yield* parseLines<T>(lines);
  }
  yield* parseLines<T>([rest + guarded(() => decoder.decode())]);
}

function* parseLines<T>(lines: readonly string[]): Generator<T, void, undefined> {
  for (const line of lines) if (line.trim() !== '') yield guarded(() => JSON.parse(line));
}

/** Writes records as JSON lines; a string is returned unchanged. */
export async function formatNdjson(records: string | Iterable<unknown> | AsyncIterable<unknown>): Promise<string> {
  if (typeof records === 'string') return records;
  let text = '';
  for await (const record of records) text += `${JSON.stringify(record)}\n`;
  return text;
}

// Replaces the parser's error, which quotes the line.
function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new AccessAdminError('The response is not NDJSON in UTF-8');
  }
}
