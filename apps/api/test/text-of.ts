import type { LongText } from '../src/streaming/stream-json.ts';

/** The whole of a text, released at its end. */
export async function textOf(text: string | LongText | null): Promise<string> {
  if (text === null || typeof text === 'string') return text ?? '';
  let whole = '';
  try {
    for await (const piece of text.pieces) whole += piece;
  } finally {
    text.release?.();
  }
  return whole;
}
