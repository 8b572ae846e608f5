import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SMALL_BODY_BYTES_MAX } from '@access-admin/contract';
import { fail } from '@access-admin/domain';
import { createEndOfTurn } from '../event-loop/end-of-turn.ts';
import type { Exchange, ObservedHandler, Reply } from './exchange.ts';
import { type Body, bodyTooLarge, CUT, collectBody } from './read-body.ts';

/** Takes a request or leaves it, untouched, to the router. */
export type DirectLane = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

/**
 * The way of the hottest requests from the server's socket to their handler: no router and no web objects in between, which
 * cost more than the request. It knows no rule: the same handlers are behind the router, which takes whatever is unusual.
 * `npm run bench -- http` measures it.
 */
export function createDirectLane(handlers: ReadonlyMap<string, ObservedHandler>): DirectLane {
  const atEndOfTurn = createEndOfTurn();
  const isUsual = createIsUsual();
  return (incoming, outgoing) => {
    const handler = incoming.method === 'POST' ? handlers.get(incoming.url ?? '') : undefined;
    if (handler === undefined || !isUsual(incoming)) return false;
    // The body first: with it there, nothing but the first sight of a token or an identity makes the rest wait.
    collectBody(incoming, SMALL_BODY, (body) => {
      const reply = handler(new DirectExchange(incoming, outgoing, body));
      if (reply instanceof Promise) void reply.then((late) => atEndOfTurn(() => send(outgoing, late)));
      else atEndOfTurn(() => send(outgoing, reply));
    });
    return true;
  };
}

const SMALL_BODY = { bytesMax: SMALL_BODY_BYTES_MAX, share: null };

// Of these Node keeps the first and the router joins all.
const NAMED_ONCE = ['authorization', 'content-type', 'host'];
const HOST_CHARACTERS = /^[\w.:[\]-]+$/;
const HOSTS_MAX = 1000;

/**
 * Whether the server's own view of the headers is the router's too, and the body is known to be small: it is read before the
 * token is looked at. The router asks for the token first.
 */
function createIsUsual(): (incoming: IncomingMessage) => boolean {
  const hosts = new Set<string>();
  const isAddress = (host: string): boolean => {
    if (hosts.has(host)) return true;
    if (!HOST_CHARACTERS.test(host) || !URL.canParse(`http://${host}`)) return false;
    if (hosts.size < HOSTS_MAX) hosts.add(host);
    return true;
  };
  return ({ headers, rawHeaders }) => {
    const { host, authorization, 'content-type': contentType, 'content-length': length } = headers;
    if (host === undefined || authorization === undefined || contentType === undefined || length === undefined)
      return false;
    if (!isAddress(host) || Number(length) > SMALL_BODY_BYTES_MAX) return false;
    let named = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) if (isNamedOnce(rawHeaders[at] ?? '')) named++;
    return named === NAMED_ONCE.length;
  };
}

const isNamedOnce = (name: string) =>
  NAMED_ONCE.some((once) => once.length === name.length && once === name.toLowerCase());

const NO_PARAMS = {};

/** A class, so that a request costs one object instead of one for each method. */
class DirectExchange implements Exchange {
  readonly method = 'POST';
  readonly params = NO_PARAMS;
  readonly target: string;
  readonly connection: object;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #body: Body;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, body: Body) {
    this.target = incoming.url ?? '';
    this.connection = incoming.socket;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#body = body;
  }

  signal(): AbortSignal {
    const left = new AbortController();
    if (this.#outgoing.destroyed) left.abort();
    this.#outgoing.once('close', () => left.abort());
    return left.signal;
  }

  header(name: string): string | null {
    const value = this.#incoming.headers[name];
    return typeof value === 'string' ? value : null;
  }

  readBody(bytesMax: number): Body {
    const body = this.#body;
    return body.ok && body.value.byteLength > bytesMax ? fail(bodyTooLarge(bytesMax)) : body;
  }

  isCut(): boolean {
    return this.#body === CUT;
  }
}

function send(outgoing: ServerResponse, { status, headers, body }: Reply): void {
  if (body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    outgoing.writeHead(status, headers);
    // One piece ahead, not many that would all be written in one turn. Who leaves early gets no more of it.
    return void pipeline(Readable.from(body, { highWaterMark: 1 }), outgoing).catch(() => {});
  }
  headers['content-length'] = String(body === null ? 0 : Buffer.byteLength(body));
  outgoing.writeHead(status, headers).end(body ?? undefined);
}
