import { ok } from '@access-admin/domain';
import type { AuditCondition, AuditStore } from '@access-admin/store';
import type { SignHead } from '../../audit/sign-head.ts';
import { answerList, type ListRequest } from '../../operations/answers.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import type { AnswerExport } from '../../streaming/answer-export.ts';
import { jsonArrayOf, linesOf } from '../../streaming/records.ts';

export interface AuditParts {
  readonly audit: AuditStore;
  readonly baseAddress: string;
  readonly signHead: SignHead;
  readonly answerExport: AnswerExport;
}

export function auditHandlers({ audit, baseAddress, signHead, answerExport }: AuditParts) {
  const answerEvents = (request: ListRequest, conditions: readonly AuditCondition[]) => {
    const { tenant } = request.caller;
    return answerList(request, baseAddress, {
      list: (page) => audit.listSequences(tenant, conditions, page),
      count: () => audit.count(tenant, conditions),
      write: (sequences) => jsonArrayOf(textsOf(audit.read(tenant, sequences))),
    });
  };

  return {
    'list-audit-events-v1': (request) => answerEvents(request, request.query.filters),

    'export-audit-events-v1': (request) =>
      answerExport(request, () => ({ pieces: linesOf(audit.export(request.caller.tenant)) })),

    'get-audit-head-v1': async ({ caller: { tenant } }) => {
      const head = await audit.head(tenant);
      return ok({ json: { ...head, signature: await signHead(tenant, head) } });
    },
  } satisfies Partial<OperationHandlers>;
}

async function* textsOf(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield JSON.stringify(item);
}
