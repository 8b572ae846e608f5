import type { HttpConnection } from './http-connection.ts';

/** How a round went. */
export interface LoadRound {
  readonly answers: number;
  readonly seconds: number;
}

/** Sends for about this long, on each connection the next request once the last is answered; throws when an answer is not 200. */
export async function runClosedLoop(
  connections: readonly HttpConnection[],
  nextRequest: () => Buffer,
  milliseconds: number,
): Promise<LoadRound> {
  const start = performance.now();
  const rest = stayAwake();
  let answers = 0;
  const converse = async (connection: HttpConnection) => {
    do {
      const { status, parts } = await connection.exchange(nextRequest());
      if (status !== 200) throw new Error(`${status}: ${Buffer.concat(parts)}`);
      answers++;
    } while (performance.now() - start < milliseconds);
  };
  try {
    await Promise.all(connections.map(converse));
  } finally {
    rest();
  }
  return { answers, seconds: (performance.now() - start) / 1000 };
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
