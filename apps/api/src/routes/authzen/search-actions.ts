import type { AUTHZEN } from '@access-admin/contract';
import { accessTargetOf, actionsOn, grantedActions, isResourceType } from '@access-admin/domain';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import type { Input } from '../../operations/route.ts';
import { streamJson } from '../../streaming/stream-json.ts';
import { beginDecisions, decide, readSubject } from './decide.ts';
import { pageOfAll, partOf } from './page-token.ts';

/** Answers the actions that a subject may do with a resource, by name. */
export async function searchActions(c: RequestContext, { body }: Input<typeof AUTHZEN.searchActions>): Promise<Answer> {
  const { page, ...question } = body;
  const part = partOf(question, page);
  if (!part.ok) return part;
  const work = beginDecisions(c);
  const { reading, now } = await readSubject(work, question.subject);
  const { index } = reading;
  const { type } = question.resource;
  const names: string[] = [];
  if (isResourceType(type)) {
    for (const action of [...(actionsOn(index.catalogue, type) ?? [])].sort()) {
      const decided = await decide(work, { ...question, action });
      if (!decided.ok) return decided;
      if (decided.value.decision) names.push(action);
    }
  } else if (accessTargetOf(index.catalogue, { ...question, action: anyOf(actionsOn(index.catalogue, type)) }).ok)
    names.push(...grantedActions({ ...question, index, nowMs: now.getTime() }, reading, question.resource));
  return streamJson(c, JSON.stringify(pageOfAll(part.value, names, (name) => ({ name }))));
}

const anyOf = (actions: ReadonlySet<string> | null): string => [...(actions ?? [])][0] ?? '';
