import { Agent, request } from 'node:http';

/** What is sent, as it is. */
export interface HttpCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** What came back. */
export interface HttpAnswer {
  readonly status: number;
  /** Each header on a line of its own. */
  readonly head: string;
  readonly text: string;
}

/** Sends requests just as they are written, which `fetch` does not: also with a Host header of one's own. */
export interface HttpCaller extends Disposable {
  send(call: HttpCall): Promise<HttpAnswer>;
}

const ANSWER_MS_MAX = 30_000;

export function createHttpCaller(baseAddress: string, connectionsMax: number): HttpCaller {
  const agent = new Agent({ keepAlive: true, maxSockets: connectionsMax });
  const { hostname, port } = new URL(baseAddress);
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
        const options = { agent, hostname, port, method, path, headers: { ...length, ...headers } };
        const sent = request({ ...options, timeout: ANSWER_MS_MAX }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}\n`);
            const text = Buffer.concat(chunks).toString();
            resolve({ status: response.statusCode ?? 0, head: lines.join(''), text });
          });
        });
        sent.on('timeout', () => sent.destroy(new Error(`${method} ${path} was not answered`)));
        sent.on('error', reject);
        sent.end(body ?? undefined);
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}

/** All of an answer but what no two answers share: equal for those that nobody can tell apart. */
export function bytesOf({ status, head, text }: HttpAnswer): string {
  const own = /^(date|x-request-id): .*\n/gm;
  return `${status}\n${head.replaceAll(own, '')}\n${text.replaceAll(/"trackingId":"[0-9a-f]{32}"/g, '"trackingId":""')}`;
}
