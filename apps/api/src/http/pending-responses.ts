import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Calls once every answer that the socket still owes to a whole request is written, so that what comes behind pipelined
 * requests takes the answer of none of them. Also called when the last one owed is to a request that will never be whole; it
 * is handed over then. Meanwhile nothing more is read.
 */
export function inTurn(socket: Duplex, auditContext: (unfinished: ServerResponse | null) => void): void {
  const answering = answeringOf(socket);
  if (answering?.req.complete) {
    socket.pause();
    // Node has begun with the next one when this is told.
    answering.once('close', () => inTurn(socket, auditContext));
  } else auditContext(answering);
}

/** Whether a request has not arrived whole yet, answered or not. */
export const isArriving = (socket: Duplex & { parser?: { readonly incoming?: IncomingMessage | null } | null }) =>
  socket.parser?.incoming?.complete === false;

/**
 * The first answer that is not written yet. Node keeps it here, undocumented, since its first versions; to keep such a list of
 * our own would cost every request a listener.
 */
export const answeringOf = (socket: Duplex & { _httpMessage?: ServerResponse | null }) => socket._httpMessage ?? null;
