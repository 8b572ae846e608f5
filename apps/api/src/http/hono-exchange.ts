import { Readable } from 'node:stream';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Exchange, ObservedHandler, Reply } from './exchange.ts';
import { CUT, readBody } from './read-body.ts';
import { withoutOrigin } from './request-target.ts';

/** What our Hono contexts carry: the bindings of the HTTP server, which are not there in tests without one. */
export interface Env {
  Bindings: Partial<HttpBindings>;
}

/** The target of a request as it was sent: an address of the web resolves `..` and encodes characters. */
export const targetOf = (request: Request, env: Env['Bindings'] | undefined): string =>
  env?.incoming?.url ?? withoutOrigin(request.url);

/** Lets Hono route to a handler. */
export const honoHandler =
  (handler: ObservedHandler) =>
  async (context: Context<Env>): Promise<Response> =>
    toResponse(await handler(exchangeOf(context)));

function exchangeOf({ req, env }: Context<Env>): Exchange {
  const { raw } = req;
  let isCut = false;
  return {
    method: raw.method,
    target: targetOf(raw, env),
    params: req.param() as Record<string, string>,
    connection: env?.incoming?.socket ?? null,
    // The signal of the request is never aborted when it is first asked for behind the end.
    signal: () => (env?.outgoing?.destroyed ? AbortSignal.abort() : raw.signal),
    header: (name) => raw.headers.get(name),
    // The server's own stream where there is one: the web stream around it costs more than the request.
    readBody: async (bytesMax, share = null) => {
      const body = await readBody(env?.incoming ?? Readable.from(raw.body ?? []), { bytesMax, share });
      isCut = body === CUT;
      return body;
    },
    isCut: () => isCut,
  };
}

export function toResponse({ status, headers, body }: Reply): Response {
  if (body === null || typeof body === 'string') return new Response(body, { status, headers });
  if (body instanceof Uint8Array) return new Response(body as Uint8Array<ArrayBuffer>, { status, headers });
  return new Response(ReadableStream.from(bytesOf(body)), { status, headers });
}

/** A response takes bytes only. Nothing is done before the first is asked for: the answer to HEAD never asks. */
async function* bytesOf(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield typeof piece === 'string' ? encoder.encode(piece) : piece;
}
