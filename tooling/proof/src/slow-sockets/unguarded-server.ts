import { once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { freePort } from '@access-admin/harness';

const PIECE = 'x'.repeat(65_536);
const PIECES = 250;

/** A Node server that answers the requests of the campaign without any limits. Disposing of it ends it. */
export async function openUnguardedServer(): Promise<AsyncDisposable & { readonly port: number }> {
  const limits = { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 };
  const server = createServer(limits, (incoming, outgoing) => {
    if (incoming.url === '/access-model/v1/export')
      return void Readable.from(Array.from({ length: PIECES }, () => PIECE)).pipe(outgoing);
    const memory = `process_resident_memory_bytes ${process.memoryUsage().rss}\n`;
    const text = incoming.url === '/metrics' ? memory : '{"violationContexts":[]}';
    incoming.resume().on('end', () => outgoing.setHeader('content-type', 'application/json').end(text));
  });
  const port = await freePort();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
