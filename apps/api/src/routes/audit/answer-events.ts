import type { PageQuery } from '@access-admin/contract';
import type { AuditCondition } from '@access-admin/store';
import type { RequestContext } from '../../env.ts';
import { callerOf } from '../../http/caller.ts';
import { jsonArrayOf } from '../../streaming/records.ts';
import { answerList } from '../answers/list.ts';

/** Answers a page of the audit events that meet the conditions, by sequence. */
export function answerAuditEvents(
  c: RequestContext,
  page: PageQuery,
  conditions: readonly AuditCondition[],
): Promise<Response> {
  const { audit } = c.env.services.store;
  const { tenant } = callerOf(c);
  return answerList(c, page, {
    list: (part) => audit.listSequences(tenant, conditions, part),
    count: () => audit.count(tenant, conditions),
    write: (sequences) => jsonArrayOf(textsOf(audit.read(tenant, sequences))),
  });
}

async function* textsOf(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield JSON.stringify(item);
}
