import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Calls back once every response that the socket owes to a complete request is written, so that a refusal behind pipelined
 * requests does not take the place of theirs. A response owed to a request that will never be complete is passed on instead of
 * waited for. Nothing more is read meanwhile.
 */
export function afterPendingResponses(socket: Duplex, callback: (unfinished: ServerResponse | null) => void): void {
  const pending = pendingResponseOf(socket);
  if (pending?.req.complete) {
    socket.pause();
    // By then Node has begun with the next response.
    pending.once('close', () => afterPendingResponses(socket, callback));
  } else callback(pending);
}

/** Whether a request has not arrived completely, answered or not. */
export const isArriving = (socket: Duplex & { parser?: { readonly incoming?: IncomingMessage | null } | null }) =>
  socket.parser?.incoming?.complete === false;

/**
 * The first response that is not written completely. Node keeps it in this undocumented property since its first versions; a
 * list of our own would cost every request a listener.
 */
export const pendingResponseOf = (socket: Duplex & { _httpMessage?: ServerResponse | null }) =>
  socket._httpMessage ?? null;
