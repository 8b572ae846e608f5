import { authorize, fail, failure, ok } from '@access-admin/domain';
import type { Semaphore } from '@access-admin/scheduling';
import type { ControlStore, ViolationStore } from '@access-admin/store';
import { auditContextOfRequest, type OperationHandler, type OperationHandlers } from '../../operations/operation.ts';
import type { AnswerExport } from '../../streaming/answer-export.ts';
import { linesOf } from '../../streaming/records.ts';
import { acceptsCsv } from './accepts-csv.ts';
import { csvOf } from './csv.ts';
import { violationEtag } from './etag.ts';
import { answerViolations } from './list.ts';

export interface ViolationParts {
  readonly violations: Pick<ViolationStore, 'list' | 'export' | 'find' | 'reassign' | 'summarize'>;
  readonly controls: Pick<ControlStore, 'apply'>;
  readonly answerExport: AnswerExport;
  readonly baseAddress: string;
  /** The counts of lists under way. */
  readonly counting: Semaphore;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** The operations on the register of violations. */
export const violationHandlers = ({
  violations,
  controls,
  answerExport,
  baseAddress,
  counting,
  now,
  newId,
}: ViolationParts) =>
  ({
    'list-violations-v1': (request) => answerViolations(request, [], { violations, baseAddress, counting, now }),
    'export-violations-v1': exportViolations(violations, answerExport, now),
    'get-violations-summary-v1': async ({ caller, query }) =>
      ok({ json: await violations.summarize(caller.tenant, { now: now().toISOString(), days: query.days }) }),
    'get-violation-v1': async ({ caller, params }) => {
      const violation = await violations.find(caller.tenant, params.id, now().toISOString());
      return violation === null
        ? fail(failure('NotFound', '', 'There is no such violation.'))
        : ok({ json: violation, headers: { etag: violationEtag(violation) } });
    },
    'list-my-violations-v1': (request) => {
      const values = [request.caller.identityId ?? ''];
      const own = { field: 'ownedBy', operator: 'eq', values } as const;
      return answerViolations(request, [own], { violations, baseAddress, counting, now });
    },
    'reassign-violation-v1': reassignViolation(violations, now),
    'apply-control-v1': applyControl(controls, now, newId),
  }) satisfies Partial<OperationHandlers>;

/** export-violations-v1 */
const exportViolations =
  (
    violations: Pick<ViolationStore, 'export'>,
    answerExport: AnswerExport,
    now: () => Date,
  ): OperationHandler<'export-violations-v1'> =>
  async (request) => {
    const { caller, query, c } = request;
    const headers: Record<string, string> = acceptsCsv(c) ? { 'content-type': CSV } : {};
    const write = acceptsCsv(c) ? csvOf : linesOf;
    const answered = await answerExport(request, async () => {
      const asked = { conditions: query.filters, sorters: [], now: now().toISOString() };
      const exported = await violations.export(caller.tenant, asked);
      if (exported.asOf !== null) headers['x-as-of'] = exported.asOf;
      return { pieces: write(exported.violations), release: () => void exported[Symbol.asyncDispose]() };
    });
    return answered.ok ? ok({ ...answered.value, headers }) : answered;
  };

const CSV = 'text/csv; charset=utf-8; header=present';

/** reassign-violation-v1 */
const reassignViolation =
  (violations: Pick<ViolationStore, 'reassign'>, now: () => Date): OperationHandler<'reassign-violation-v1'> =>
  async (request) => {
    const { caller, operation, params } = request;
    const { assigneeId, comments } = request.body;
    const reassigned = await violations.reassign(auditContextOfRequest(request, now()), {
      id: params.id,
      assigneeId,
      comments,
      caller: { identityId: caller.identityId, isForAll: authorize(operation.rights, caller).ok },
    });
    if (!reassigned.ok) return reassigned;
    const violation = reassigned.value;
    return ok(
      violation === null ? { isEmpty: true } : { json: violation, headers: { etag: violationEtag(violation) } },
    );
  };

/** apply-control-v1 */
const applyControl =
  (controls: Pick<ControlStore, 'apply'>, now: () => Date, newId: () => string): OperationHandler<'apply-control-v1'> =>
  async (request) => {
    const { caller, params } = request;
    const { controlId, comments } = request.body;
    if (caller.identityId === null) throw new Error('The operation is for identities only.');
    const applied = await controls.apply(auditContextOfRequest(request, now()), {
      id: newId(),
      exceptionId: newId(),
      violationId: params.id,
      controlId,
      comments,
      applierId: caller.identityId,
    });
    return applied.ok ? ok({ json: applied.value }) : applied;
  };
