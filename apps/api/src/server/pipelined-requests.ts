import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PIPELINED_MAX } from '@access-admin/contract';

/** The requests of each connection that are being processed behind an unanswered one. */
export interface PipelinedRequests {
  /** Whether the request is sent ahead of the answer to an earlier one. */
  isAhead(outgoing: ServerResponse): boolean;
  /** Whether the connection may have one more; otherwise it is reset. */
  mayProcess(incoming: IncomingMessage): boolean;
  /** Counts the request until it is answered. */
  count(incoming: IncomingMessage, answered: Promise<unknown>): void;
}

/** Node pauses a connection that does not take its responses, but reads requests that have none yet without a limit. */
export function createPipelinedRequests(onReset: () => void): PipelinedRequests {
  const counts = new WeakMap<Socket, number>();
  return {
    // Node assigns the socket at once unless an earlier response is not complete.
    isAhead: ({ socket }) => socket === null,
    mayProcess: ({ socket }) => {
      if (socket.destroyed) return false;
      if ((counts.get(socket) ?? 0) < PIPELINED_MAX) return true;
      onReset();
      socket.resetAndDestroy();
      return false;
    },
    count: ({ socket }, answered) => {
      counts.set(socket, (counts.get(socket) ?? 0) + 1);
      void answered.then(() => counts.set(socket, (counts.get(socket) ?? 1) - 1));
    },
  };
}
