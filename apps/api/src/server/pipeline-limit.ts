import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { PIPELINED_MAX } from '@access-admin/contract';
import type { OpenResponses } from './open-responses.ts';

/**
 * Resets a connection that has more than `PIPELINED_MAX` requests under way behind an unanswered one: Node pauses a connection that
 * does not take its responses, but reads requests that have none yet without a limit. They are counted one turn of the event loop
 * later, because requests that arrive in one packet are all read before the first of them can be answered.
 */
export function createPipelineLimit(
  responses: OpenResponses,
  onReset: () => void,
): (incoming: IncomingMessage, owed: number) => void {
  const counted = new WeakSet<Socket>();
  return ({ socket }, owed) => {
    if (owed <= PIPELINED_MAX || counted.has(socket)) return;
    counted.add(socket);
    setImmediate(() => {
      counted.delete(socket);
      if (socket.destroyed || responses.countUnanswered(socket) <= PIPELINED_MAX + 1) return;
      onReset();
      socket.resetAndDestroy();
    });
  };
}
