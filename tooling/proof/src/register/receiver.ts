import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An event that has arrived. */
export interface Arrival {
  readonly eventId: string;
  /** When it arrived, by the clock of `performance.now()`. */
  readonly arrivedMs: number;
  readonly path: string;
  readonly text: string;
}

/** A server that webhooks of a fleet deliver to. Disposing of it closes all its connections. */
export interface Receiver extends AsyncDisposable {
  /** For `WEBHOOK_TARGETS`. */
  readonly origin: string;
  readonly arrivals: readonly Arrival[];
  /** The ids of all events that have arrived. */
  readonly eventIds: ReadonlySet<string>;
}

/** Answers a delivery; nothing has to be sent. */
export type AnswerDelivery = (response: ServerResponse, request: IncomingMessage) => void;

const accept: AnswerDelivery = (response) => void response.writeHead(204).end();

/** Starts a receiver, which accepts everything by default. */
export async function openReceiver(answer: AnswerDelivery = accept): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  const eventIds = new Set<string>();
  const server = createServer(async (request, response) => {
    // The service may end the connection at any time.
    response.on('error', () => {});
    const text = await readText(request);
    const arrivedMs = performance.now();
    if (text === null) return;
    const eventId = String(request.headers['webhook-id']);
    arrivals.push({ eventId, arrivedMs, path: String(request.url), text });
    eventIds.add(eventId);
    answer(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    eventIds,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Null if the connection ended before the body. */
async function readText(request: IncomingMessage): Promise<string | null> {
  try {
    return Buffer.concat(await request.toArray()).toString();
  } catch {
    return null;
  }
}
