import { once } from 'node:events';
import { createServer, type Server, type ServerOptions } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CONNECTIONS_MAX,
  HEADER_BYTES_MAX,
  HEADERS_SECONDS_MAX,
  IDLE_SECONDS_MAX,
  REQUEST_SECONDS_MAX,
  UNTAKEN_SECONDS_MAX,
} from '@access-admin/contract';
import { fail, ok, type Result } from '@access-admin/domain';
import { giveBackMemory } from '../process/give-back-memory.ts';
import { createDirectLane } from './direct-lane.ts';
import { type ConnectionLimits, type GuardDeps, guardConnections } from './guard-connections.ts';
import type { HttpApp } from './http-app.ts';
import { refuseMalformed } from './refuse-malformed.ts';
import { createRouterLane } from './router-lane.ts';

export interface ServeOptions extends GuardDeps {
  readonly host: string;
  readonly port: number;
  /** Those of `CONNECTION_LIMITS` that are to be others. */
  readonly limits?: Partial<ConnectionLimits>;
}

/** A listening server. */
export interface Serving {
  /** Accepts nothing new, lets running requests finish, and cuts what is left after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

// Slow senders are cut off within 15 s instead of Node's defaults of one and five minutes.
const HTTP_LIMITS: ServerOptions = {
  headersTimeout: HEADERS_SECONDS_MAX * 1000,
  requestTimeout: REQUEST_SECONDS_MAX * 1000,
  // Longer than the minute after which load balancers let go of a connection: else it ends under a request of theirs.
  keepAliveTimeout: IDLE_SECONDS_MAX * 1000,
  // Those who came together end together: a few at a time, so that nobody waits for all of their ends.
  connectionsCheckingInterval: 100,
  // Node refuses what comes up to it, not only what is beyond.
  maxHeaderSize: HEADER_BYTES_MAX + 1,
};
// On a connection on which nothing happens at all. Longer than anybody may wait for a check.
const SILENCE_MS = 60_000;
// Those who have connected and are not accepted yet: a flood must not have the system turn others away.
const BACKLOG = 4096;

/** What a process holds, and for how long it puts up with one that is of no use. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  connectionsMax: CONNECTIONS_MAX,
  untakenLooksMax: UNTAKEN_SECONDS_MAX,
  // Node's own end of an idle connection comes first.
  idleLooksMax: IDLE_SECONDS_MAX + 1,
};

// So long a client may still ask on a connection that it has: whoever asks is told to open another.
const QUIET_MS = 4_000;

/** Listens with the app, and gives memory back behind a rush; fails with a text when the address cannot be had. */
export async function serve(
  app: HttpApp,
  { host, port, limits, ...guardDeps }: ServeOptions,
): Promise<Result<Serving, string>> {
  const routed = createRouterLane(app);
  const takeDirectly = createDirectLane(app.direct);
  const server = createServer(HTTP_LIMITS, (incoming, outgoing) => {
    if (!takeDirectly(incoming, outgoing)) routed.take(incoming, outgoing);
  });
  refuseMalformed(server);
  server.setTimeout(SILENCE_MS);
  guardConnections(server, { ...CONNECTION_LIMITS, ...limits }, guardDeps);
  server.once('close', giveBackMemory());
  // Expectations that we do not know are not ours to fulfil.
  server.on('checkExpectation', routed.take);
  server.on('connect', routed.refuseTunnel);
  server.listen({ host, port, backlog: BACKLOG });
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
