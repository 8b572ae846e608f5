import { fail, failure, ok } from '@access-admin/domain';
import type { AuditCondition, AuditStore, PolicyStore } from '@access-admin/store';
import type { SignHead } from '../../audit/sign-head.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import type { AnswerExport } from '../../streaming/answer-export.ts';
import { jsonArrayOf, linesOf } from '../../streaming/records.ts';
import { answerList, type ListRequest } from '../answers/list.ts';

export interface AuditParts {
  readonly audit: AuditStore;
  readonly policies: Pick<PolicyStore, 'find'>;
  readonly baseAddress: string;
  readonly signHead: SignHead;
  readonly answerExport: AnswerExport;
}

export function auditHandlers({ audit, policies, baseAddress, signHead, answerExport }: AuditParts) {
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

    'get-sod-policy-history-v1': async (request) => {
      const { tenant } = request.caller;
      const { id } = request.params;
      const ofPolicy: readonly AuditCondition[] = [
        { field: 'resourceType', operator: 'eq', values: ['SOD_POLICY'] },
        { field: 'resourceId', operator: 'eq', values: [id] },
      ];
      // A deleted policy has events that were allowed. Denied requests may name an id that no policy ever had.
      const allowed: AuditCondition = { field: 'outcome', operator: 'eq', values: ['ALLOWED'] };
      const isKnown =
        (await policies.find(tenant, id)) !== null || (await audit.count(tenant, [...ofPolicy, allowed])) > 0;
      return isKnown ? answerEvents(request, ofPolicy) : fail(failure('NotFound', '', 'There is no such SOD policy.'));
    },
  } satisfies Partial<OperationHandlers>;
}

async function* textsOf(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield JSON.stringify(item);
}
