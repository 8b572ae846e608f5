import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type HttpResponse, isInPieces } from '../http/exchange.ts';

/** Writes a response to its socket. The pieces of a body are never begun for HEAD. */
export function sendResponse(outgoing: ServerResponse, { status, headers, body, cookies }: HttpResponse): void {
  if (cookies !== undefined) outgoing.setHeader('set-cookie', cookies);
  if (body === null || outgoing.req.method === 'HEAD') return void outgoing.writeHead(status, headers).end();
  if (isInPieces(body)) {
    // One by one, so that the guard of connections can read the tracking id of a response that it resets.
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
    outgoing.writeHead(status);
    // One piece ahead: more would all be written in one turn. A closed connection ends the pieces.
    const pieces = Readable.from(resetOnError(body, outgoing), { highWaterMark: 1 });
    return void pipeline(pieces, outgoing).catch(() => {});
  }
  const bytes = Buffer.byteLength(body);
  headers['content-length'] = String(bytes);
  outgoing.writeHead(status, headers);
  // An ASCII text has the same bytes in Latin-1, which is written faster.
  if (bytes === body.length) outgoing.end(body, 'latin1');
  else outgoing.end(body);
}

/** A response that cannot be completed is reset: an orderly end of its connection could pass for the end of the response. */
async function* resetOnError<T>(pieces: AsyncIterable<T>, outgoing: ServerResponse): AsyncGenerator<T> {
  try {
    yield* pieces;
  } catch (error) {
    outgoing.socket?.resetAndDestroy();
    throw error;
  }
}
