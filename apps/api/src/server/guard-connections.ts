import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { pendingResponseOf } from './pending-responses.ts';

/** The most connections of a process, and the time limits of a stalled and of an idle one. */
export interface ConnectionLimits {
  readonly connectionsMax: number;
  /** In checks, one a second: a connection that reads nothing of a response for this long is reset. */
  readonly stalledChecksMax: number;
  /** In checks: a connection without a response under way is closed after this time. */
  readonly idleChecksMax: number;
}

/** What happens to a connection: accepted, ended, refused at the limit, or closed by us because it was stalled or idle. */
export type ConnectionEvent = 'opened' | 'closed' | 'refused' | 'cut';

export interface GuardDeps {
  readonly log: { warn(fields: object, message: string): void };
  readonly metrics: { countConnection(event: ConnectionEvent): void };
}

interface Watched {
  /** Bytes that the peer, or at least the operating system, has accepted. */
  taken: number;
  checks: number;
}

const CHECK_EVERY_MS = 1000;

/**
 * Refuses connections above a number, and closes stalled and idle ones: Node bounds how long a request may take to arrive, but
 * neither how long its response may remain unread, nor how long a sender of empty lines is kept.
 */
export function guardConnections(server: Server, limits: ConnectionLimits, { log, metrics }: GuardDeps): void {
  const { connectionsMax, stalledChecksMax, idleChecksMax } = limits;
  const watched = new Map<Socket, Watched>();
  let refused = 0;
  server.maxConnections = connectionsMax;
  server.on('drop', () => {
    refused += 1;
    metrics.countConnection('refused');
  });
  server.on('connection', (socket) => {
    watched.set(socket, { taken: 0, checks: 0 });
    metrics.countConnection('opened');
    socket.once('close', () => {
      watched.delete(socket);
      metrics.countConnection('closed');
    });
  });
  const timer = setInterval(() => {
    // At most one line a second, because refused callers try again.
    if (refused > 0) log.warn({ refused, connectionsMax }, 'connections refused');
    refused = 0;
    for (const [socket, seen] of watched) {
      const waiting = socket.writableLength;
      const taken = socket.bytesWritten - waiting - queuedOf(socket);
      // A connection that waits for a response is not idle: that time is bounded elsewhere.
      const isWaiting = waiting === 0 && pendingResponseOf(socket) !== null;
      seen.checks = taken === seen.taken && !isWaiting ? seen.checks + 1 : 0;
      seen.taken = taken;
      if (seen.checks <= (waiting > 0 ? stalledChecksMax : idleChecksMax)) continue;
      metrics.countConnection('cut');
      // Without a reset the system would keep the unread bytes.
      if (waiting > 0) socket.resetAndDestroy();
      else socket.destroy();
    }
  }, CHECK_EVERY_MS);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** The bytes of a large piece that the operating system has not accepted yet; undocumented, but Node's own socket timeout reads it. */
const queuedOf = (socket: Socket & { _handle?: { readonly writeQueueSize?: number } | null }) =>
  socket._handle?.writeQueueSize ?? 0;
