import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
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
import { type Failure, fail, ok, type Result } from '@access-admin/domain';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { ApiEnv, Message } from '../env.ts';
import { StatefulResponse } from '../http/connection.ts';
import { type ConnectionLimits, type GuardDeps, guardConnections } from './guard-connections.ts';
import { findMessageFault, NO_ADDRESS, saysItsEnd } from './message-fault.ts';
import { afterOpenResponses, createOpenResponses, type OpenResponses } from './open-responses.ts';
import { createPipelineLimit } from './pipeline-limit.ts';
import { refuseUnparsed } from './refuse-unparsed.ts';

export interface ServeOptions extends GuardDeps {
  readonly host: string;
  readonly port: number;
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
  checkEveryMs: 1_000,
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

/** Listens with the app; fails with a text when the address is not available. */
export async function serve(
  app: Hono<ApiEnv>,
  { host, port, limits, ...guardDeps }: ServeOptions,
): Promise<Result<Serving, string>> {
  const server = createGuardedServer(app, { ...CONNECTION_LIMITS, ...limits }, guardDeps);
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

/** The server of `@hono/node-server` with the guards that Node itself lacks. */
function createGuardedServer(app: Hono<ApiEnv>, limits: ConnectionLimits, deps: GuardDeps): Server {
  const responses = createOpenResponses();
  const limitPipelined = createPipelineLimit(responses, () => deps.metrics.countConnection('cut'));
  const listener = getRequestListener(app.fetch, {
    // Stands for the host of a request of HTTP/1.0, which may have none.
    hostname: 'localhost',
    // Node discards the rest of a body that nobody reads, for as long as its sender takes.
    autoCleanupIncoming: false,
  });
  const take: RequestListener = (incoming, outgoing) => {
    limitPipelined(incoming, responses.add(incoming, outgoing));
    const fault = findMessageFault(incoming);
    if (fault !== null) return refuseMessage(app, { incoming, outgoing, fault }).catch(() => outgoing.destroy());
    spellPlainly(incoming);
    return listener(incoming, outgoing);
  };
  const server = createServer({ ...HTTP_LIMITS, ServerResponse: StatefulResponse }, take);
  server.setTimeout(SILENCE_MS);
  refuseUnparsed(server, responses);
  guardConnections(server, responses, limits, deps);
  // An unknown expectation is ignored.
  server.on('checkExpectation', take);
  server.on(
    'connect',
    (incoming: IncomingMessage, socket: Socket) =>
      void refuseTunnel(app, responses, incoming, socket).catch(() => socket.destroy()),
  );
  return server;
}

/**
 * Spells what is allowed but rare as `@hono/node-server` knows it: a scheme in capitals in an address as the target, and an empty
 * port after the host.
 */
function spellPlainly(incoming: IncomingMessage): void {
  const { url = '' } = incoming;
  if (!url.startsWith('/')) incoming.url = url.replace(/^https?:/i, (scheme) => scheme.toLowerCase());
  if (incoming.headers.host?.endsWith(':')) incoming.headers.host = incoming.headers.host.slice(0, -1);
}

/** No `Request` can be made of such a message, so the app gets another one, with the fault beside it. */
const answerFault = (app: Hono<ApiEnv>, message: Message): Response | Promise<Response> =>
  app.fetch(new Request('http://localhost/'), message);

async function refuseMessage(
  app: Hono<ApiEnv>,
  { incoming, outgoing, fault }: { incoming: IncomingMessage; outgoing: ServerResponse; fault: Failure },
): Promise<void> {
  const response = await answerFault(app, { incoming, outgoing, fault });
  // The place where the next request begins is unknown.
  if (!saysItsEnd(incoming)) outgoing.setHeader('Connection', 'close');
  const body = await response.text();
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'content-length': Buffer.byteLength(body),
  });
  outgoing.end(body);
}

/** Refuses CONNECT, which names no resource. */
async function refuseTunnel(
  app: Hono<ApiEnv>,
  responses: OpenResponses,
  incoming: IncomingMessage,
  socket: Socket,
): Promise<void> {
  socket.on('error', () => {});
  const response = await answerFault(app, { incoming, fault: NO_ADDRESS });
  const body = await response.text();
  const head = [
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`,
    ...[...response.headers].map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  afterOpenResponses(responses, socket, () => {
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
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
