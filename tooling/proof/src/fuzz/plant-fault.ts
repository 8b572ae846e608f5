import type { Answer } from '../http/answer-reader.ts';
import type { Callers } from './callers.ts';

/** Makes of an answer one that the service must never give, of three kinds in turn; null where there is nothing to spoil. */
export function plantFault(answer: Answer | null, turn: number, { canaries }: Callers): Answer | null {
  if (answer === null || !answer.headers.has('x-request-id')) return null;
  const { headers, body } = answer;
  if (turn % 3 === 0) return { ...answer, status: 500 };
  if (turn % 3 === 1) return { ...answer, headers: new Map([...headers].filter(([name]) => name !== 'x-request-id')) };
  // Of the tenant in which nobody calls.
  return { ...answer, body: Buffer.concat([body, Buffer.from(canaries.at(-1) ?? '')]) };
}
