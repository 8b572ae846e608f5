import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const STATUS_LINES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/**
 * Answers what the parser refuses as Node does, without a body and then closed, but in its turn: Node says it at once, and so
 * in place of the answer to a good request before it, which may have taken effect. Returns what is to be told of every answer
 * that is to come: not a second listener, which would cost each request more.
 */
export function refuseMalformed(server: Server): (outgoing: ServerResponse) => void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser says it again for whatever still arrives.
    if (refused.has(socket)) return;
    refused.add(socket);
    const refuse = () => {
      if (!socket.writable) return void socket.destroy();
      const line = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
      socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\n\r\n`, () => socket.destroy());
    };
    const before = latest.get(socket);
    // A request that has not arrived whole is the malformed one itself; it may have had its answer already.
    if (before?.req.complete === false) return before.headersSent ? void socket.end(() => socket.destroy()) : refuse();
    // A turn later: Node may just have refused it too.
    if (before === undefined || before.writableFinished || before.destroyed) return void setImmediate(refuse);
    socket.pause();
    before.once('close', refuse);
  });
  return (outgoing) => void latest.set(outgoing.req.socket, outgoing);
}
