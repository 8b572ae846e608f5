import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { inTurn, isArriving } from './pending-responses.ts';

const STATUS_LINES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

const LINGER_MS = 1_000;
const NEEDS_NO_BODY = ['GET', 'HEAD', 'DELETE'];

/**
 * Answers what the parser refuses as Node does, without a body and then closed, but in its turn: Node says it at once, and so
 * in place of the answer to a good request before it, which may have taken effect.
 */
export function refuseMalformed(server: Server): void {
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser says it again for whatever still arrives.
    if (refused.has(socket)) return;
    refused.add(socket);
    const refuse = () => {
      if (!socket.writable) return void socket.destroy();
      const line = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
      socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\n\r\n`);
      // What is still on its way would otherwise be answered with a reset, which takes the answer with it.
      socket.resume();
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
    };
    inTurn(socket, (unfinished) => {
      // It may have had its answer before it had arrived whole.
      if (unfinished?.headersSent || (unfinished === null && isArriving(socket))) socket.end(() => socket.destroy());
      // Whatever needs no body is under way already, and may take effect: its own answer says how it ended.
      else if (unfinished !== null && NEEDS_NO_BODY.includes(unfinished.req.method ?? '')) {
        // Node closes behind such an answer; who reads it knows not to send more.
        unfinished.setHeader('Connection', 'close');
      }
      // A turn later: Node may just have refused it too.
      else if (unfinished === null) setImmediate(refuse);
      else refuse();
    });
  });
}
