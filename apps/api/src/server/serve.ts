import { once } from 'node:events';
import { createServer, type Server, type ServerOptions } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  ANSWER_RATE_BYTES_MIN,
  ANSWER_RATE_SECONDS,
  ANSWER_SECONDS_MAX,
  CONNECTIONS_MAX,
  HEADER_BYTES_MAX,
  HEADERS_SECONDS_MAX,
  IDLE_SECONDS_MAX,
  REQUEST_SECONDS_MAX,
  UNTAKEN_SECONDS_MAX,
} from '@access-admin/contract';
import { fail, ok, type Result } from '@access-admin/domain';
import type { HttpApp } from '../http/app-interface.ts';
import { giveBackMemory } from '../process/give-back-memory.ts';
import { createDispatch } from './dispatch.ts';
import { type ConnectionLimits, type GuardDeps, guardConnections } from './guard-connections.ts';
import { refuseMalformed } from './refuse-malformed.ts';

export interface ServeOptions extends GuardDeps {
  readonly host: string;
  readonly port: number;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  /** Overrides of `CONNECTION_LIMITS`. */
  readonly limits?: Partial<ConnectionLimits>;
}

/** A listening server. */
export interface Serving {
  /** The port that it listens on, also where port 0 was asked for. */
  readonly port: number;
  /** Accepts nothing new, lets running requests finish, and closes the remaining connections after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

// Slow senders are cut off within 15 s instead of Node's defaults of one and five minutes.
const HTTP_LIMITS: ServerOptions = {
  headersTimeout: HEADERS_SECONDS_MAX * 1000,
  requestTimeout: REQUEST_SECONDS_MAX * 1000,
  // Longer than the minute after which load balancers close a connection: otherwise it ends under a request of theirs.
  keepAliveTimeout: IDLE_SECONDS_MAX * 1000,
  // Connections that were opened together time out together; short intervals close them a few at a time.
  connectionsCheckingInterval: 100,
  // The door refuses a request without a Host header, with a reason: Node's own refusal closes the connection, and a caller that is still sending may lose it.
  requireHostHeader: false,
  // Node refuses headers that reach this size, not only those that exceed it.
  maxHeaderSize: HEADER_BYTES_MAX + 1,
};
// The longest time without any traffic: longer than a caller may wait for a check.
const SILENCE_MS = 60_000;
// Connections that are not accepted yet: large, so that the system refuses none during a flood.
const BACKLOG = 4096;

/** How many connections a process holds, and for how long it keeps an idle or stalled one. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  connectionsMax: CONNECTIONS_MAX,
  stalledChecksMax: UNTAKEN_SECONDS_MAX,
  rateChecks: ANSWER_RATE_SECONDS,
  rateBytesMin: ANSWER_RATE_BYTES_MIN,
  answerChecksMax: ANSWER_SECONDS_MAX,
  // Node's own timeout of an idle connection comes first.
  idleChecksMax: IDLE_SECONDS_MAX + 1,
};

/** How long a stopping process waits for running requests. */
export const STOP_GRACE_MS = 7_000;
/** After this time the process ends, whatever is running. */
export const EXIT_GRACE_MS = 9_000;

// During this time a client may still send requests on an open connection; the responses tell it to open another.
const QUIET_MS = 4_000;

/** Listens with the app, and gives memory back after a rush; fails with a text when the address is not available. */
export async function serve(
  app: HttpApp,
  { host, port, elapsed, limits, ...guardDeps }: ServeOptions,
): Promise<Result<Serving, string>> {
  const dispatch = createDispatch(app, () => guardDeps.metrics.countConnection('cut'), elapsed);
  const server = createServer(HTTP_LIMITS, dispatch.take);
  refuseMalformed(server);
  server.setTimeout(SILENCE_MS);
  guardConnections(server, { ...CONNECTION_LIMITS, ...limits }, guardDeps);
  server.once('close', giveBackMemory());
  // An unknown expectation is ignored.
  server.on('checkExpectation', dispatch.take);
  server.on('connect', dispatch.refuseTunnel);
  server.listen({ host, port, backlog: BACKLOG });
  try {
    await once(server, 'listening');
  } catch (error) {
    return fail(`Cannot listen on ${host}:${port}: ${reasonOf(error)}.`);
  }
  const address = server.address();
  return ok({
    port: typeof address === 'object' && address !== null ? address.port : port,
    stop: (graceMs) => stop(server, graceMs),
  });
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') return 'the port is in use';
  if (code === 'EACCES') return 'the port may not be used by this user';
  return code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' ? 'this machine has no such address' : String(error);
}

async function stop(server: Server, graceMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  // Not the method of the HTTP server, which closes idle connections at once: a request on its way would be lost.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  await Promise.race([closed, wait(QUIET_MS, undefined, { ref: false })]);
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearTimeout(cut);
  clearInterval(sweep);
}
