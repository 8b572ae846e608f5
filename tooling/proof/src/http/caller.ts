import { once } from 'node:events';
import { Agent, request } from 'node:http';

/** One request. A body makes it a POST. */
export interface Call {
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: string | Buffer;
  /** By default JSON. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the answer is counted and dropped as it arrives. */
  readonly isDropped?: boolean;
}

/** An answer; status 0 stands for a call without one, whose text says why. */
export interface CallAnswer {
  readonly status: number;
  /** One header per line. */
  readonly head: string;
  readonly text: string;
  readonly bytes: number;
}

export interface CallerPlan {
  readonly baseAddress: string;
  /** Null for calls without a token. */
  readonly token: string | null;
  /** The loopback address that the connections come from. */
  readonly from: string;
  readonly signal?: AbortSignal;
}

/** Sends a call and never rejects. */
export type Caller = (call: Call) => Promise<CallAnswer>;

/** Calls over connections that are kept, as many as there are calls at the same time. Without the SDK, which costs more CPU time and repeats calls. */
export function createCaller({ baseAddress, token, from, signal }: CallerPlan): Caller {
  const agent = new Agent({ keepAlive: true, localAddress: from });
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  signal?.addEventListener('abort', () => agent.destroy());
  return async ({ path, body, method = body === undefined ? 'GET' : 'POST', headers, type, isDropped = false }) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    try {
      const sent = request(`${baseAddress}${path}`, {
        agent,
        method,
        ...(signal === undefined ? {} : { signal }),
        headers: {
          ...authorization,
          ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
          ...headers,
        },
      });
      // An error after the response is that of the answer, too.
      sent.on('error', () => {});
      sent.end(body);
      const [answer] = await once(sent, 'response');
      for await (const piece of answer) {
        bytes += piece.length;
        if (!isDropped) pieces.push(piece);
      }
      const head = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\n`);
      return { status: answer.statusCode, head: head.join(''), text: Buffer.concat(pieces).toString(), bytes };
    } catch (error) {
      return { status: 0, head: '', text: String(error), bytes };
    }
  };
}
