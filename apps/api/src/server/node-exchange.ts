import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange } from '../http/exchange.ts';
import { type Body, readBody } from '../http/read-body.ts';
import type { RoomShare } from '../rooms/shared-room.ts';

const NO_PARAMS = {};
// Node keeps the first of several; a repeated one must not pass for a single one.
const KEPT_ONCE = ['authorization', 'content-type'];

/** An exchange on a socket of `node:http`. A class, so that a request costs one object instead of one for each method. */
export class NodeExchange implements Exchange {
  readonly method: string;
  readonly target: string;
  readonly connection: object;
  params: Exchange['params'] = NO_PARAMS;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse | null;
  #isBodyAborted = false;
  #left: AbortSignal | null = null;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse | null) {
    this.method = incoming.method ?? '';
    this.target = incoming.url ?? '';
    this.connection = incoming.socket;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  remoteAddress(): string | null {
    return this.#incoming.socket.remoteAddress ?? null;
  }

  signal(): AbortSignal {
    this.#left ??= this.#watchClose();
    return this.#left;
  }

  #watchClose(): AbortSignal {
    const closed = new AbortController();
    if (this.#outgoing === null || this.#outgoing.destroyed) closed.abort();
    else this.#outgoing.once('close', () => closed.abort());
    return closed.signal;
  }

  endWithin(ms: number): void {
    const outgoing = this.#outgoing;
    if (outgoing === null || outgoing.destroyed) return;
    const timer = setTimeout(() => outgoing.socket?.resetAndDestroy(), ms);
    outgoing.once('close', () => clearTimeout(timer));
  }

  header(name: string): string | null {
    const { headers, rawHeaders } = this.#incoming;
    const value = headers[name];
    if (typeof value !== 'string') return null;
    return KEPT_ONCE.includes(name) ? joinValues(rawHeaders, name) : value;
  }

  readBody(bytesMax: number, openShare: (() => Pick<RoomShare, 'take'>) | null = null): Promise<Body> {
    return readBody(this.#incoming, { bytesMax, openShare }, () => {
      this.#isBodyAborted = true;
    });
  }

  isBodyAborted(): boolean {
    return this.#isBodyAborted;
  }
}

function joinValues(rawHeaders: readonly string[], name: string): string {
  let joined: string | null = null;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] ?? '';
    if (raw.length !== name.length || raw.toLowerCase() !== name) continue;
    const value = rawHeaders[at + 1] ?? '';
    joined = joined === null ? value : `${joined}, ${value}`;
  }
  return joined ?? '';
}
