import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '@access-admin/harness';

/** A proxy in front of a port. Disposing of it ends it. */
export interface Proxy extends AsyncDisposable {
  readonly port: number;
}

/** Passes everything on except matching header lines. */
export async function stripHeaders(port: number, lines: RegExp): Promise<Proxy> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const onward = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const each of [socket, onward]) {
      open.add(each);
      each.on('error', () => {});
      each.on('close', () => {
        open.delete(each);
        socket.destroy();
        onward.destroy();
      });
    }
    socket.on('data', (chunk) => onward.write(Buffer.from(chunk.toString('latin1').replaceAll(lines, ''), 'latin1')));
    socket.on('end', () => onward.end());
    onward.pipe(socket);
  });
  const own = await freePort();
  await once(server.listen(own, '127.0.0.1'), 'listening');
  return {
    port: own,
    [Symbol.asyncDispose]: async () => {
      for (const each of open) each.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
