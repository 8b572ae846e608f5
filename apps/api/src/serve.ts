import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Failure, fail, failure, ok, type Result } from '@access-admin/domain';
import { getRequestListener } from '@hono/node-server';
import type { App } from './app.ts';
import { createDirectLane } from './direct-lane.ts';
import { toResponse } from './hono-exchange.ts';
import { problemReply } from './problem.ts';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly newTrackingId: () => string;
}

/** A listening server. */
export interface Serving {
  /** Accepts nothing new, lets running requests finish, and cuts what is left after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

// Slow senders are cut off within 15 s instead of Node's defaults of one and five minutes.
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 13_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1000,
};
// Who takes nothing of an answer for so long gets no more of it. Longer than anybody may wait for a check.
const SILENCE_MS = 60_000;

// So long a client may still ask on a connection that it has: whoever asks is told to open another.
const QUIET_MS = 4_000;

const NO_ADDRESS: Failure = failure('MalformedBody', '', 'The request target and the Host header make no address.');

/** Listens with the app; fails with a text when the address cannot be had. */
export async function serve(
  { hono, direct }: App,
  { host, port, newTrackingId }: ServeOptions,
): Promise<Result<Serving, string>> {
  const route = getRequestListener(hono.fetch, {
    // What cannot become a Request: a Host header or a target that makes no address.
    errorHandler: () => toResponse(problemReply(NO_ADDRESS, newTrackingId())),
  });
  const takeDirectly = createDirectLane(direct);
  const server = createServer(TIMEOUTS, (incoming, outgoing) => {
    if (!takeDirectly(incoming, outgoing)) void route(incoming, outgoing);
  });
  server.setTimeout(SILENCE_MS);
  // Expectations that we do not know are not ours to fulfil.
  server.on('checkExpectation', route);
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    return fail(`Cannot listen on ${host}:${port}: ${reasonOf(error)}.`);
  }
  return ok({ stop: (graceMs) => stop(server, graceMs) });
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') return 'the port is in use';
  if (code === 'EACCES') return 'the port may not be used by this user';
  return code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' ? 'this machine has no such address' : String(error);
}

async function stop(server: Server, graceMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  // Not that of HTTP, which closes idle connections at once: a request that is on its way would be lost.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  await Promise.race([closed, wait(QUIET_MS, undefined, { ref: false })]);
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearTimeout(cut);
  clearInterval(sweep);
}
