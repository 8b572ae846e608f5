import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { afterOpenResponses, type OpenResponses } from './open-responses.ts';

const STATUS_LINES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

const LINGER_MS = 1_000;
const NEEDS_NO_BODY = ['GET', 'HEAD', 'DELETE'];

/**
 * Refuses what the parser rejects as Node does, without a body, and closes, but in its turn: Node writes the refusal at once,
 * in place of the response to a good request before it, which may have taken effect.
 */
export function refuseUnparsed(server: Server, responses: OpenResponses): void {
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser reports every further packet too.
    if (refused.has(socket)) return;
    refused.add(socket);
    const refuse = () => {
      if (!socket.writable) return void socket.destroy();
      const line = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
      socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\n\r\n`);
      // Unread input would cause a reset, and the caller would lose the refusal.
      socket.resume();
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
    };
    afterOpenResponses(responses, socket, (unfinished) => {
      // The request may have been answered before it arrived completely.
      if (unfinished?.headersSent || (unfinished === null && responses.isArriving(socket)))
        socket.end(() => socket.destroy());
      // A request that needs no body is already being processed and may take effect: its own response is sent.
      else if (unfinished !== null && NEEDS_NO_BODY.includes(unfinished.req.method ?? '')) {
        // Node closes the connection after such a response; the header informs the caller.
        unfinished.setHeader('Connection', 'close');
      }
      // One turn later: Node may have refused it just now.
      else if (unfinished === null) setImmediate(refuse);
      else refuse();
    });
  });
}
