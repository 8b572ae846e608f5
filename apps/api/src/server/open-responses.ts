import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The responses of each connection that are not complete, in the order of their requests. */
export interface OpenResponses {
  /** Notes a request. Returns the number of responses that its connection owes, this one included. */
  add(incoming: IncomingMessage, outgoing: ServerResponse): number;
  /** The number of responses of a connection that have not been made yet. */
  countUnanswered(socket: Duplex): number;
  /** The first response of a connection that is not complete. */
  firstOf(socket: Duplex): ServerResponse | null;
  /** Whether the latest request of a connection has not arrived completely, answered or not. */
  isArriving(socket: Duplex): boolean;
}

interface Connection {
  /** Not complete, in the order of their requests. */
  readonly responses: ServerResponse[];
  latest: IncomingMessage;
}

export function createOpenResponses(): OpenResponses {
  const connections = new WeakMap<Duplex, Connection>();
  const noteRequest = (incoming: IncomingMessage): Connection => {
    const known = connections.get(incoming.socket);
    if (known !== undefined) {
      known.latest = incoming;
      return known;
    }
    const first = { responses: [], latest: incoming };
    connections.set(incoming.socket, first);
    return first;
  };
  return {
    add: (incoming, outgoing) => {
      const { responses } = noteRequest(incoming);
      outgoing.on('close', () => responses.splice(responses.indexOf(outgoing), 1));
      return responses.push(outgoing);
    },
    countUnanswered: (socket) =>
      connections.get(socket)?.responses.filter(({ writableEnded }) => !writableEnded).length ?? 0,
    firstOf: (socket) => connections.get(socket)?.responses[0] ?? null,
    isArriving: (socket) => connections.get(socket)?.latest.complete === false,
  };
}

/**
 * Calls back once every response that the socket owes to a complete request is written, so that a refusal behind pipelined
 * requests does not take the place of theirs. A response owed to a request that will never be complete is passed on instead of
 * waited for. Nothing more is read meanwhile.
 */
export function afterOpenResponses(
  responses: OpenResponses,
  socket: Duplex,
  callback: (unfinished: ServerResponse | null) => void,
): void {
  const first = responses.firstOf(socket);
  if (first?.req.complete !== true) {
    callback(first);
    return;
  }
  socket.pause();
  first.once('close', () => afterOpenResponses(responses, socket, callback));
}
