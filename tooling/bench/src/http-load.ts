import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface HttpLoad {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  /** The bytes of one whole request, taken in turn. */
  readonly requests: readonly Buffer[];
}

/** How a round went. */
export interface LoadRound {
  readonly answers: number;
  readonly seconds: number;
}

/** A generator of load on keep-alive connections, each with one request under way. */
export interface LoadGenerator {
  /** Sends for about this long; throws when an answer is not 200. */
  run(milliseconds: number): Promise<LoadRound>;
  close(): void;
}

export async function openLoad(load: HttpLoad): Promise<LoadGenerator> {
  const sockets = await Promise.all(
    Array.from({ length: load.connections }, async () => {
      const socket = connect({ host: load.host, port: load.port, noDelay: true });
      await once(socket, 'connect');
      return socket;
    }),
  );
  let turn = 0;
  const nextRequest = () => load.requests[turn++ % load.requests.length] ?? Buffer.alloc(0);
  return {
    async run(milliseconds) {
      const start = performance.now();
      const rest = stayAwake();
      const counts = await Promise.all(sockets.map((socket) => converse(socket, nextRequest, start + milliseconds)));
      rest();
      const seconds = (performance.now() - start) / 1000;
      return { answers: counts.reduce((sum, count) => sum + count, 0), seconds };
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * Keeps this process from sleeping between answers: waking it is work that the kernel does in the name of the server, and a
 * fast server, which keeps us busy anyway, would be spared what a slower one pays.
 */
function stayAwake(): () => void {
  let next = setImmediate(function again() {
    next = setImmediate(again);
  });
  return () => clearImmediate(next);
}

/** Sends one request after the other until the deadline; counts the answers. */
function converse(socket: Socket, nextRequest: () => Buffer, deadline: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let answers = 0;
    let received = '';
    const onData = (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const headersEnd = received.indexOf('\r\n\r\n');
      if (headersEnd === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(received.slice(0, headersEnd))?.[1] ?? Number.NaN);
      if (received.length < headersEnd + 4 + length) return;
      if (!received.startsWith('HTTP/1.1 200')) return finish(new Error(received));
      received = '';
      answers++;
      if (performance.now() < deadline) socket.write(nextRequest());
      else finish(null);
    };
    const finish = (error: Error | null) => {
      socket.off('data', onData).off('error', finish);
      if (error === null) resolve(answers);
      else reject(error);
    };
    socket.on('data', onData).once('error', finish);
    socket.write(nextRequest());
  });
}
