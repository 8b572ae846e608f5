import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { pendingResponseOf } from './pending-responses.ts';

/** How many connections a process holds, and for how long one may be of no use. */
export interface ConnectionLimits {
  readonly connectionsMax: number;
  /** In looks, one a second: a connection that takes nothing of a response for so long is reset. */
  readonly untakenLooksMax: number;
  /** In looks: a connection on which nothing is answered for so long is closed. */
  readonly idleLooksMax: number;
}

/** What happens to a connection: accepted, ended, refused at the limit, or closed by us because it was stalled or idle. */
export type ConnectionEvent = 'opened' | 'closed' | 'refused' | 'cut';

export interface GuardDeps {
  readonly log: { warn(fields: object, message: string): void };
  readonly metrics: { countConnection(event: ConnectionEvent): void };
}

interface Watched {
  /** Bytes that the other side, or at least the operating system, has taken. */
  taken: number;
  looks: number;
}

const LOOK_EVERY_MS = 1000;

/**
 * Refuses connections above a number, and closes stalled and idle ones: Node bounds how long a request may take to arrive, but
 * neither how long its response may remain unread, nor how long a sender of empty lines is kept.
 */
export function guardConnections(server: Server, limits: ConnectionLimits, { log, metrics }: GuardDeps): void {
  const { connectionsMax, untakenLooksMax, idleLooksMax } = limits;
  const watched = new Map<Socket, Watched>();
  let refused = 0;
  server.maxConnections = connectionsMax;
  server.on('drop', () => {
    refused += 1;
    metrics.countConnection('refused');
  });
  server.on('connection', (socket) => {
    watched.set(socket, { taken: 0, looks: 0 });
    metrics.countConnection('opened');
    socket.once('close', () => {
      watched.delete(socket);
      metrics.countConnection('closed');
    });
  });
  const look = setInterval(() => {
    // One line for all of a second: refused callers try again.
    if (refused > 0) log.warn({ refused, connectionsMax }, 'connections refused');
    refused = 0;
    for (const [socket, seen] of watched) {
      const waiting = socket.writableLength;
      const taken = socket.bytesWritten - waiting - queuedOf(socket);
      // A connection that waits for a response is not idle: that time is bounded elsewhere.
      const isWaiting = waiting === 0 && pendingResponseOf(socket) !== null;
      seen.looks = taken === seen.taken && !isWaiting ? seen.looks + 1 : 0;
      seen.taken = taken;
      if (seen.looks <= (waiting > 0 ? untakenLooksMax : idleLooksMax)) continue;
      metrics.countConnection('cut');
      // Without a reset the system would keep the unread bytes.
      if (waiting > 0) socket.resetAndDestroy();
      else socket.destroy();
    }
  }, LOOK_EVERY_MS);
  look.unref();
  server.once('close', () => clearInterval(look));
}

/** The bytes of a large piece that the operating system has not taken yet; undocumented, but Node's own socket timeout reads it. */
const queuedOf = (socket: Socket & { _handle?: { readonly writeQueueSize?: number } | null }) =>
  socket._handle?.writeQueueSize ?? 0;
