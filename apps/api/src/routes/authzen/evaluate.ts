import type { AUTHZEN } from '@access-admin/contract';
import type { AccessQuestion } from '@access-admin/domain';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import type { Input } from '../../operations/route.ts';
import { streamJson } from '../../streaming/stream-json.ts';
import { beginDecisions, decide } from './decide.ts';

/** Answers the decision on a question. */
export const evaluate = (c: RequestContext, { body }: Input<typeof AUTHZEN.evaluate>): Promise<Answer> =>
  evaluateOne(c, body);

export async function evaluateOne(c: RequestContext, question: AccessQuestion): Promise<Answer> {
  const decided = await decide(beginDecisions(c, null), question);
  return decided.ok ? streamJson(c, JSON.stringify(decided.value)) : decided;
}
