import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SOD_BODY_BYTES_MAX } from '@access-admin/contract';
import { fail, type Result } from '@access-admin/domain';
import type { Exchange, ObservedHandler, Reply } from './exchange.ts';
import { type BodyFailure, bodyTooLarge, readBody } from './read-body.ts';

/** Takes a request or leaves it, untouched, to the router. */
export type DirectLane = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

/**
 * The way of the hottest requests from the server's socket to their handler: no router and no web objects in between, which
 * cost more than the request. It knows no rule: the same handlers are behind the router, which takes whatever is unusual.
 * `npm run bench -- http` measures it.
 */
export function createDirectLane(handlers: ReadonlyMap<string, ObservedHandler>): DirectLane {
  return (incoming, outgoing) => {
    const handler = incoming.method === 'POST' ? handlers.get(incoming.url ?? '') : undefined;
    if (handler === undefined || !isUsual(incoming)) return false;
    void readBody(incoming, SOD_BODY_BYTES_MAX)
      // The body first: with it there, nothing but a first sight of a token or an identity makes the rest wait.
      .then((body) => handler(exchangeOf({ incoming, outgoing, body })))
      .then((reply) => send(outgoing, reply));
    return true;
  };
}

// Of these Node keeps the first and the router joins all.
const NAMED_ONCE = new Set(['authorization', 'content-type', 'host']);
const USUAL_HOST = /^[\w.:[\]-]+$/;

/** Whether the server's own view of the headers is the router's too, and the body has a known length that may be drained. */
function isUsual({ headers, rawHeaders }: IncomingMessage): boolean {
  const { host, authorization, 'content-type': contentType, 'content-length': length } = headers;
  if (host === undefined || authorization === undefined || contentType === undefined || length === undefined)
    return false;
  if (!USUAL_HOST.test(host) || Number(length) > SOD_BODY_BYTES_MAX) return false;
  let named = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (NAMED_ONCE.has(rawHeaders[at]?.toLowerCase() ?? '')) named++;
  return named === NAMED_ONCE.size;
}

const NO_PARAMS = {};

interface Arrived {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly body: Result<Uint8Array, BodyFailure>;
}

function exchangeOf({ incoming, outgoing, body }: Arrived): Exchange {
  return {
    method: 'POST',
    target: incoming.url ?? '',
    params: NO_PARAMS,
    get signal() {
      const left = new AbortController();
      outgoing.once('close', () => left.abort());
      return left.signal;
    },
    header: (name) => {
      const value = incoming.headers[name];
      return typeof value === 'string' ? value : null;
    },
    readBody: (bytesMax) => (body.ok && body.value.byteLength > bytesMax ? fail(bodyTooLarge(bytesMax)) : body),
  };
}

function send(outgoing: ServerResponse, { status, headers, body }: Reply): void {
  if (body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    outgoing.writeHead(status, headers);
    // Who leaves early gets no more of it.
    return void pipeline(Readable.from(body), outgoing).catch(() => {});
  }
  headers['content-length'] = String(body === null ? 0 : Buffer.byteLength(body));
  outgoing.writeHead(status, headers).end(body ?? undefined);
}
