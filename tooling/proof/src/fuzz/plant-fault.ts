import type { Answer } from '../http/read-answer.ts';
import type { Callers } from './callers.ts';

/** Turns an answer into one of three kinds that the service must never send; null if there is none to change. */
export function plantFault(answer: Answer | null, turn: number, { canaries }: Callers): Answer | null {
  if (answer === null || !answer.headers.has('x-request-id')) return null;
  const { headers, body } = answer;
  if (turn % 3 === 0) return { ...answer, status: 500 };
  if (turn % 3 === 1) return { ...answer, headers: new Map([...headers].filter(([name]) => name !== 'x-request-id')) };
  // The canary of the tenant without callers.
  return { ...answer, body: Buffer.concat([body, Buffer.from(canaries.at(-1) ?? '')]) };
}
