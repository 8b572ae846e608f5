/** A message of a stream; its data are empty where only the id has moved on. */
export interface SseMessage {
  readonly id: string;
  readonly data: string;
}

/** Parses server-sent events with an id as their bytes arrive in pieces of any size. A message that is cut off is left out. */
export async function* parseSse(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<SseMessage, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let id = '';
  let data = '';
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('id: ')) id = line.slice(4);
      else if (line.startsWith('data: ')) data = line.slice(6);
      else if (line === '') {
        if (id !== '') yield { id, data };
        [id, data] = ['', ''];
      }
    }
  }
}
