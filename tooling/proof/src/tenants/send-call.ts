import { bytesOf } from '../fuzz/draw-request.ts';
import type { Draft } from '../fuzz/spoil-request.ts';
import { openConnection } from '../http/connection.ts';

export interface CallAnswer {
  readonly status: number;
  /** One header per line. */
  readonly head: string;
  readonly text: string;
}

/** Sends calls over one connection. */
export function createCallSender(baseAddress: string) {
  const connection = openConnection(Number(new URL(baseAddress).port));
  return {
    send: async (call: Draft): Promise<CallAnswer> => {
      const { answer, lost } = await connection.exchange(bytesOf(call), call.method === 'HEAD');
      if (answer === null) throw new Error(`${call.method} ${call.target} has no answer: ${lost}`);
      const head = [...answer.headers].map(([name, value]) => `${name}: ${value}\n`).join('');
      return { status: answer.status, head, text: answer.body.toString() };
    },
    [Symbol.dispose]: connection.close,
  };
}

/** An answer without what differs between any two answers. */
export function comparableText({ status, head, text }: CallAnswer): string {
  const own = /^(date|x-request-id|x-as-of): .*\n/gm;
  // The register is read as of the moment of each answer.
  const moving = /("trackingId"|"asOf"|"lastEvaluatedDate"):(?:"[^"]*"|null)/g;
  return `${status}\n${head.replaceAll(own, '')}\n${text.replaceAll(moving, '$1:""')}`;
}
