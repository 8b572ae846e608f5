import { AccessAdminError } from '../errors.ts';

/** Decodes text as its bytes arrive in pieces of any size. Rejects if they are not UTF-8. */
export async function* decodeText(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of pieces) yield guarded(() => decoder.decode(piece, { stream: true }));
  yield guarded(() => decoder.decode());
}

/** Parses JSON lines as their bytes arrive in pieces of any size. Rejects if they are not UTF-8 or not JSON. */
export async function* parseNdjson<T>(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<T, void, undefined> {
  let rest = '';
  for await (const text of decodeText(pieces)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* parseJsonLines<T>(lines);
  }
  yield* parseJsonLines<T>([rest]);
}

/** Parses lines of JSON; empty ones are left out. */
export function* parseJsonLines<T>(lines: readonly string[]): Generator<T, void, undefined> {
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
    throw new AccessAdminError('The response is not text in UTF-8, or not NDJSON');
  }
}
