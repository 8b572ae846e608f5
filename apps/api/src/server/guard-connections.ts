import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { stateOf } from '../http/connection.ts';
import { type CloseReason, createConnectionWatch, type WatchLimits } from './connection-watch.ts';
import type { OpenResponses } from './open-responses.ts';

/** The most connections of a process, and their time limits. */
export interface ConnectionLimits extends WatchLimits {
  /** How often connections are looked at; the other limits count these looks. */
  readonly checkEveryMs: number;
  readonly connectionsMax: number;
}

/** What happens to a connection: accepted, ended, refused at the limit, or closed by us because it was stalled or idle. */
export type ConnectionEvent = 'opened' | 'closed' | 'refused' | 'cut';

export interface GuardDeps {
  readonly log: { warn(fields: object, message: string): void };
  readonly metrics: { countConnection(event: ConnectionEvent): void };
}

/** Tracking ids of reset responses that one log line names. */
const NAMED_MAX = 10;

/**
 * Refuses connections above a number, and closes stalled, slow and idle ones: Node bounds how long a request may take to
 * arrive, but neither how long its response may remain unread, nor how long a sender of empty lines is kept.
 */
export function guardConnections(
  server: Server,
  responses: OpenResponses,
  limits: ConnectionLimits,
  { log, metrics }: GuardDeps,
): void {
  const watched = new Map<Socket, ReturnType<typeof createConnectionWatch>>();
  let refused = 0;
  server.maxConnections = limits.connectionsMax;
  server.on('drop', () => {
    refused += 1;
    metrics.countConnection('refused');
  });
  server.on('connection', (socket) => {
    watched.set(socket, createConnectionWatch(limits));
    metrics.countConnection('opened');
    socket.once('close', () => {
      watched.delete(socket);
      metrics.countConnection('closed');
    });
  });
  const timer = setInterval(() => {
    // At most one line of a kind a second, because such callers try again.
    if (refused > 0) log.warn({ refused, connectionsMax: limits.connectionsMax }, 'connections refused');
    refused = 0;
    const resets = new Map<CloseReason, ResetResponses>();
    for (const [socket, findCloseReason] of watched) {
      const waiting = socket.writableLength;
      const response = responses.firstOf(socket);
      const state = response === null ? null : stateOf(response);
      const reason = findCloseReason({
        waiting,
        taken: socket.bytesWritten - waiting,
        response,
        isEventStream: state?.isEventStream === true,
      });
      if (reason === null) continue;
      metrics.countConnection('cut');
      if (reason === 'idle') {
        socket.destroy();
        continue;
      }
      addReset(resets, reason, state?.trackingId);
      // Without a reset the system would keep the unread bytes.
      socket.resetAndDestroy();
    }
    for (const [reason, responses] of resets) log.warn({ reason, ...responses }, 'answers reset');
  }, limits.checkEveryMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

interface ResetResponses {
  answers: number;
  readonly trackingIds: string[];
}

function addReset(resets: Map<CloseReason, ResetResponses>, reason: CloseReason, trackingId: string | undefined): void {
  const known = resets.get(reason) ?? { answers: 0, trackingIds: [] };
  known.answers += 1;
  if (trackingId !== undefined && known.trackingIds.length < NAMED_MAX) known.trackingIds.push(trackingId);
  resets.set(reason, known);
}
