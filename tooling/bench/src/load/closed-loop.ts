import type { HttpConnection } from './http-connection.ts';

/** The work of a load generator. */
export interface LoadRound {
  readonly answers: number;
  readonly seconds: number;
}

/** When a load ends: after a time, or after a number of requests. */
export type LoadEnd = { readonly milliseconds: number } | { readonly requests: number };

/** Sends on each connection the next request once the last is answered; throws when an answer is no success. */
export async function runClosedLoop(
  connections: readonly HttpConnection[],
  nextRequest: () => Buffer,
  end: LoadEnd,
): Promise<LoadRound> {
  const start = performance.now();
  const rest = stayAwake();
  let sent = 0;
  let answers = 0;
  const goesOn = () => ('requests' in end ? sent < end.requests : performance.now() - start < end.milliseconds);
  const converse = async (connection: HttpConnection) => {
    do {
      sent++;
      const { status, parts } = await connection.exchange(nextRequest());
      if (status < 200 || status > 299) throw new Error(`${status}: ${Buffer.concat(parts)}`);
      answers++;
    } while (goesOn());
  };
  try {
    await Promise.all(connections.map(converse));
  } finally {
    rest();
  }
  return { answers, seconds: (performance.now() - start) / 1000 };
}

/**
 * Keeps this process from sleeping between answers. Waking it is work that the kernel accounts to the server, and only a
 * slow server would pay for it: a fast one keeps this process busy anyway.
 */
function stayAwake(): () => void {
  let next = setImmediate(function again() {
    next = setImmediate(again);
  });
  return () => clearImmediate(next);
}
