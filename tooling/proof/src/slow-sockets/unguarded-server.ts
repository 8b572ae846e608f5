import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

// Answers the requests of the campaign without any limits.
const PIECE = 'x'.repeat(65_536);
const PIECES = 250;

async function answerAtLength(outgoing: ServerResponse): Promise<void> {
  const closed = once(outgoing, 'close');
  for (let piece = 0; piece < PIECES && !outgoing.destroyed; piece++) {
    await setImmediate();
    if (!outgoing.write(PIECE)) await Promise.race([once(outgoing, 'drain'), closed]);
  }
  outgoing.end();
}

const server = createServer({ headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 }, (incoming, outgoing) => {
  if (incoming.url === '/access-model/v1/export') return void answerAtLength(outgoing);
  const text =
    incoming.url === '/metrics'
      ? `process_resident_memory_bytes ${process.memoryUsage().rss}\n`
      : '{"violationContexts":[]}';
  incoming.resume().on('end', () => outgoing.end(text));
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
