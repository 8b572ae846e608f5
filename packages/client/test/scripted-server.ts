import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the server has received. */
export interface Arrival {
  /** Method and path, with the query. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response, or failure, of the server to one request. */
export type Reaction = (response: ServerResponse, arrival: Arrival) => void;

/** A service with scripted reactions for each request line, in order; the last one repeats. */
export interface ScriptedServer extends AsyncDisposable {
  readonly baseAddress: string;
  /** All requests except those for tokens. */
  readonly arrivals: readonly Arrival[];
  readonly tokenArrivals: readonly Arrival[];
  script(line: string, ...reactions: readonly Reaction[]): void;
  /** Resolves once `arrivals` has this many requests. */
  arrived(count: number): Promise<void>;
}

const TOKEN_LINE = 'POST /oauth/token';

/** Answers with JSON. */
export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reaction =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** Answers with a text. */
export const text =
  (status: number, body: string, type: string): Reaction =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body);

/** Answers without a body. */
export const empty =
  (status: number, headers: Readonly<Record<string, string>> = {}): Reaction =>
  (response) =>
    response.writeHead(status, headers).end();

/** Reads the request and breaks the connection. */
export const hangUp: Reaction = (response) => response.socket?.destroy();

/** Reads the request and never responds. */
export const silence: Reaction = () => {};

/** An error response in the form of the service. */
export const refusal = (
  status: number,
  detailCode: string,
  headers: Readonly<Record<string, string>> = {},
): Reaction => {
  const trackingId = '0123456789abcdef0123456789abcdef';
  const cause = { ...message('accessRefs[3].type: must be known'), detailCode };
  return json(status, { detailCode, trackingId, messages: [message('It went wrong.')], causes: [cause] }, headers);
};

/** A message of an error response. */
export const message = (text: string) => ({ locale: 'en-US', localeOrigin: 'DEFAULT', text });

/** Grants the tokens `token-1`, `token-2` and so on. */
export function grantTokens(lifeSeconds: number): Reaction {
  let granted = 0;
  return (response, arrival) => {
    granted++;
    json(200, { access_token: `token-${granted}`, token_type: 'Bearer', expires_in: lifeSeconds })(response, arrival);
  };
}

/** Opens a server on a free port of the loopback interface. */
export async function openScriptedServer(): Promise<ScriptedServer> {
  const reactions = new Map<string, Reaction[]>([[TOKEN_LINE, [grantTokens(900)]]]);
  const arrivals: Arrival[] = [];
  const tokenArrivals: Arrival[] = [];
  const watchers = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const arrival = await read(request);
    (arrival.line === TOKEN_LINE ? tokenArrivals : arrivals).push(arrival);
    for (const watch of watchers) watch();
    const script = reactions.get(arrival.line) ?? [];
    const reaction = script.length > 1 ? script.shift() : script[0];
    (reaction ?? json(599, { unscripted: arrival.line }))(response, arrival);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseAddress: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    tokenArrivals,
    script: (line, ...script) => reactions.set(line, [...script]),
    arrived: (count) =>
      new Promise((resolve) => {
        const watch = () => {
          if (arrivals.length >= count) resolve();
        };
        watchers.add(watch);
        watch();
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(request: IncomingMessage): Promise<Arrival> {
  let body = '';
  request.setEncoding('utf8');
  for await (const piece of request) body += piece;
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return { line: `${request.method} ${request.url}`, headers: Object.fromEntries(headers), body };
}
