import type { RequestContext } from './env.ts';
import { piecesOf } from './pieces.ts';

/** An answer before it becomes a `Response`. */
export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ReadableStream<Uint8Array> | null;
}

/** A longer text is sent in pieces: the guard of connections sees the progress of a slow reader by whole pieces. */
const WHOLE_PIECE_LENGTH = 65_536;

/**
 * Makes the `Response` of an operation or a refusal, with the headers that all answers have. The headers are a plain object:
 * `@hono/node-server` writes such an answer without creating web objects.
 */
export function answer(c: RequestContext, { status, headers, body }: Answer): Response {
  const all = { ...c.get('state').commonHeaders(), ...headers };
  if (typeof body !== 'string' || body.length <= WHOLE_PIECE_LENGTH)
    return new Response(body, { status, headers: all });
  all['content-length'] = String(Buffer.byteLength(body));
  return new Response(c.req.method === 'HEAD' ? null : ReadableStream.from(encoded(piecesOf(body))), {
    status,
    headers: all,
  });
}

function* encoded(pieces: Iterable<string>): Generator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}
