import type { AUTHZEN, Evaluations, EvaluationsSemantic } from '@access-admin/contract';
import {
  type AccessDecision,
  type AccessQuestion,
  type Failure,
  type Result,
  refusedDecision,
} from '@access-admin/domain';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import type { Input } from '../../operations/route.ts';
import { streamJson } from '../../streaming/stream-json.ts';
import { beginDecisions, type DecisionWork, decide } from './decide.ts';
import { evaluateOne } from './evaluate.ts';

/** Answers the decisions on several questions, in their order. */
export async function evaluateMany(c: RequestContext, { body }: Input<typeof AUTHZEN.evaluateMany>): Promise<Answer> {
  if (!('items' in body)) return evaluateOne(c, body);
  const evaluations = await decideAll(beginDecisions(c), body);
  return streamJson(c, JSON.stringify({ evaluations }));
}

/** Questions whose data are read together. */
const AT_ONCE = 20;

const ENDS: Readonly<Record<EvaluationsSemantic, (decision: AccessDecision) => boolean>> = {
  execute_all: () => false,
  deny_on_first_deny: ({ decision }) => !decision,
  permit_on_first_permit: ({ decision }) => decision,
};

async function decideAll(work: DecisionWork, { items, semantic }: Evaluations): Promise<readonly AccessDecision[]> {
  const { jobs } = work.services;
  const decisions: AccessDecision[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    await jobs.yield(work.job);
    for (const decision of await Promise.all(
      items.slice(start, start + AT_ONCE).map((item) => decideItem(work, item)),
    )) {
      decisions.push(decision);
      if (ENDS[semantic](decision)) return decisions;
    }
  }
  return decisions;
}

/** What cannot be asked, and what fails, is denied. */
async function decideItem(work: DecisionWork, item: Result<AccessQuestion, Failure>): Promise<AccessDecision> {
  const decided = item.ok ? await decide(work, item.value) : item;
  if (decided.ok) return decided.value;
  const [{ at, text } = { at: '', text: 'The question cannot be answered.' }] = decided.failure.causes;
  return refusedDecision({ code: 'INVALID', text: at === '' ? text : `${at}: ${text}` });
}
