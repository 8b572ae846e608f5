import { openConnection } from '../http/connection.ts';

/** A request as it is sent, with any Host header. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface CallAnswer {
  readonly status: number;
  /** One header per line. */
  readonly head: string;
  readonly text: string;
}

export interface CallSender extends Disposable {
  send(call: Call): Promise<CallAnswer>;
}

export function createCallSender(baseAddress: string): CallSender {
  const { host, port } = new URL(baseAddress);
  const connection = openConnection(Number(port));
  return {
    send: async ({ method, path, headers, body }) => {
      const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const lines = Object.entries({ host, ...length, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
      const request = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
      const { answer, lost } = await connection.exchange(Buffer.from(request), method === 'HEAD');
      if (answer === null) throw new Error(`${method} ${path} has no answer: ${lost}`);
      const head = [...answer.headers].map(([name, value]) => `${name}: ${value}\n`).join('');
      return { status: answer.status, head, text: answer.body.toString() };
    },
    [Symbol.dispose]: connection.close,
  };
}

/** An answer without what differs between any two answers. */
export function bytesOf({ status, head, text }: CallAnswer): string {
  const own = /^(date|x-request-id): .*\n/gm;
  return `${status}\n${head.replaceAll(own, '')}\n${text.replaceAll(/"trackingId":"[0-9a-f]{32}"/g, '"trackingId":""')}`;
}
