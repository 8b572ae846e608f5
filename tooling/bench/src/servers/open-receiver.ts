import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of webhooks on loopback that answers 204 at once, and what it has received. */
export interface Receiver extends AsyncDisposable {
  readonly origin: string;
  /** From the time of each event, which lies before its commit, to its arrival, in milliseconds. */
  readonly waitsMs: number[];
  count(): number;
  /** Resolves once so many deliveries have arrived in all. */
  until(count: number): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const waitsMs: number[] = [];
  let count = 0;
  let awaited: { readonly count: number; readonly resolve: () => void } | null = null;
  const server = createServer(async (request, response) => {
    const arrivedMs = Date.now();
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    response.writeHead(204).end();
    const [, time = ''] = /"time":"([^"]+)"/.exec(body) ?? [];
    waitsMs.push(Math.max(0, arrivedMs - Date.parse(time)));
    count++;
    if (awaited !== null && count >= awaited.count) awaited.resolve();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waitsMs,
    count: () => count,
    until: (wanted) =>
      new Promise((resolve) => {
        awaited = { count: wanted, resolve };
        if (count >= wanted) resolve();
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
