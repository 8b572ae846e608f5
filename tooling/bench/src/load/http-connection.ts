import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createAnswerReader, type HttpAnswer } from './answer-reader.ts';

/** A keep-alive connection with at most one request under way. */
export interface HttpConnection {
  /** Sends the bytes of a whole request. Rejects when the connection breaks before its answer is complete. */
  exchange(request: Buffer): Promise<HttpAnswer>;
  close(): void;
}

const TRY_AGAIN_MS = 1;
const TRIES_MAX = 20_000;

/** Opens connections to a server of this machine, which may still be starting. */
export function openConnections(port: number, count: number): Promise<readonly HttpConnection[]> {
  return Promise.all(Array.from({ length: count }, () => openConnection(port)));
}

/** Opens connections for one piece of work and closes them afterwards: servers close connections that stay idle. */
export async function withConnections<T>(
  port: number,
  count: number,
  work: (connections: readonly HttpConnection[]) => Promise<T>,
): Promise<T> {
  const connections = await openConnections(port, count);
  try {
    return await work(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function openConnection(port: number): Promise<HttpConnection> {
  const socket = await openSocket(port);
  let pending: { resolve(answer: HttpAnswer): void; reject(error: Error): void } | null = null;
  const fail = (error: Error) => pending?.reject(error);
  const read = createAnswerReader((answer) => pending?.resolve(answer));
  socket
    .on('data', (bytes: Buffer) => {
      try {
        read(bytes);
      } catch (error) {
        socket.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    })
    .on('error', fail)
    .on('close', () => fail(new Error('the server closed the connection')));
  return {
    exchange: (request) =>
      new Promise((resolve, reject) => {
        pending = { resolve, reject };
        if (socket.destroyed) return fail(new Error('the server closed the connection'));
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

async function openSocket(port: number): Promise<Socket> {
  for (let tries = 1; ; tries++) {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      if (tries === TRIES_MAX) throw error;
      await delay(TRY_AGAIN_MS);
    }
  }
}
