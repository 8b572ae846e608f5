import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Failure, failure, ok } from '@access-admin/domain';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Soon } from '../event-loop/maybe-promise.ts';
import type { Exchange, Reply } from './exchange.ts';
import { toResponse } from './hono-exchange.ts';
import type { HttpApp } from './http-app.ts';
import { inTurn } from './pending-responses.ts';

/** The way of every request that the direct lane leaves. */
export interface RouterLane {
  take(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** Refuses what asks for no resource but for a connection to somebody else. */
  refuseTunnel(incoming: IncomingMessage, socket: Socket): Promise<void>;
}

const NO_ADDRESS = failure('MalformedBody', '', 'The request target and the Host header make no address.');
const TWO_HOSTS = failure('MalformedBody', '', 'There must be one Host header.');
const CODED = failure('MalformedBody', '', 'The only Transfer-Encoding may be chunked.');

/** Routes what can be routed; all else is refused in the one error shape, and logged as any request. */
export function createRouterLane({ hono, refuse }: Pick<HttpApp, 'hono' | 'refuse'>): RouterLane {
  const refused = (fault: Failure | Error, incoming: IncomingMessage): Soon<Reply> =>
    refuse(fault, exchangeOf(incoming));
  return {
    take: (incoming, outgoing) => {
      const fault = faultOfMessage(incoming);
      // Nobody can tell where the next request would begin.
      if (fault !== null && !isFramed(incoming)) outgoing.setHeader('Connection', 'close');
      // Schemes are the same in capitals, but not to the router.
      incoming.url = incoming.url?.replace(/^https?:/i, (scheme) => scheme.toLowerCase());
      const answer = async (failed: Failure | Error) => toResponse(await refused(failed, incoming));
      const listener = getRequestListener(fault === null ? hono.fetch : () => answer(fault), {
        // Node reads on what nobody has read, for as long as a request may take: whoever is refused early gets to know why.
        autoCleanupIncoming: false,
        // A Host header or a target that makes no address cannot become a Request; all else is a bug.
        errorHandler: (error) =>
          answer(error instanceof RequestError || !(error instanceof Error) ? NO_ADDRESS : error),
      });
      void listener(incoming, outgoing);
    },
    refuseTunnel: async (incoming, socket) => {
      socket.on('error', () => {});
      const { status, headers, body } = await refused(NO_ADDRESS, incoming);
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const text = typeof body === 'string' ? body : '';
      const length = `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n`;
      inTurn(socket, () => {
        socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}${length}\r\n${text}`, () =>
          socket.destroy(),
        );
      });
    },
  };
}

/** What the parser lets through although it must be refused: which Host is meant, or what a coded body says, is not known. */
function faultOfMessage({ headers, rawHeaders }: IncomingMessage): Failure | null {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts++;
  if (hosts > 1) return TWO_HOSTS;
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked' ? null : CODED;
}

/** Whether its headers say where it ends. */
const isFramed = ({ headers: { 'transfer-encoding': coding } }: IncomingMessage): boolean =>
  coding === undefined || /\bchunked$/i.test(coding);

/** A request of which nothing more is looked at. */
const exchangeOf = ({ method = '', url = '', socket }: IncomingMessage): Exchange => ({
  method,
  target: url,
  params: {},
  connection: socket,
  signal: () => AbortSignal.abort(),
  header: () => null,
  readBody: () => ok(new Uint8Array()),
  isCut: () => false,
});
