import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { createEndOfTurn } from '../event-loop/end-of-turn.ts';
import type { HttpApp } from '../http/app-interface.ts';
import type { HttpResponse } from '../http/exchange.ts';
import { NodeExchange } from './node-exchange.ts';
import { afterPendingResponses } from './pending-responses.ts';
import { createPipelinedRequests } from './pipelined-requests.ts';
import { createFindRequestFailure, isFramed, NO_ADDRESS } from './request-failure.ts';
import { sendResponse } from './send-response.ts';

/** The only way from a socket to the app and back. */
export interface Dispatch {
  take(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** Refuses CONNECT, which names no resource. */
  refuseTunnel(incoming: IncomingMessage, socket: Socket): Promise<void>;
}

/** Measured by `npm run bench -- http`. `onReset` is called for each connection that is reset for its pipelined requests. */
export function createDispatch({ answer, refuse }: HttpApp, onReset: () => void, elapsed: () => number): Dispatch {
  const pipelined = createPipelinedRequests(onReset);
  const endOfTurn = createEndOfTurn(elapsed);
  const findFailure = createFindRequestFailure();
  return {
    take: (incoming, outgoing) => {
      endOfTurn.doLate();
      const isAhead = pipelined.isAhead(outgoing);
      if (isAhead && !pipelined.mayProcess(incoming)) return;
      const exchange = new NodeExchange(incoming, outgoing);
      const failure = findFailure(incoming);
      // The place where the next request begins is unknown.
      if (failure !== null && !isFramed(incoming)) outgoing.setHeader('Connection', 'close');
      const response = failure === null ? answer(exchange) : refuse(failure, exchange);
      const send = (ready: HttpResponse) => endOfTurn.add(() => sendResponse(outgoing, ready));
      if (!(response instanceof Promise)) return send(response);
      if (isAhead) pipelined.count(incoming, response);
      void response.then(send);
    },
    refuseTunnel: async (incoming, socket) => {
      socket.on('error', () => {});
      const { status, headers, body } = await refuse(NO_ADDRESS, new NodeExchange(incoming, null));
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const text = typeof body === 'string' ? body : '';
      const length = `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n`;
      afterPendingResponses(socket, () => {
        socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}${length}\r\n${text}`, () =>
          socket.destroy(),
        );
      });
    },
  };
}
