import { authorize, fail, failure, ok } from '@access-admin/domain';
import type { Semaphore } from '@access-admin/scheduling';
import type { ControlStore, ViolationStore } from '@access-admin/store';
import type { Exports } from '../../exports/answer-exports.ts';
import { requestClosed } from '../../http/connection.ts';
import { auditContextOfRequest, type OperationHandler, type OperationHandlers } from '../../operations/operation.ts';
import { ndjsonOf } from '../answers/ndjson.ts';
import { acceptsCsv } from './accepts-csv.ts';
import { csvOf } from './csv.ts';
import { violationEtag } from './etag.ts';
import { answerViolations } from './list.ts';

export interface ViolationParts {
  readonly violations: Pick<ViolationStore, 'list' | 'export' | 'find' | 'reassign' | 'summarize'>;
  readonly controls: Pick<ControlStore, 'apply'>;
  readonly exports: Exports;
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
  exports,
  baseAddress,
  counting,
  now,
  newId,
}: ViolationParts) =>
  ({
    'list-violations-v1': (request) => answerViolations(request, [], { violations, baseAddress, counting, now }),
    'export-violations-v1': exportViolations(violations, exports, now),
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
    exports: Exports,
    now: () => Date,
  ): OperationHandler<'export-violations-v1'> =>
  async ({ caller: { tenant }, query, c }) => {
    const isCsv = acceptsCsv(c);
    const write = isCsv ? csvOf : ndjsonOf;
    let asOf: string | null = null;
    const read = async function* () {
      const asked = { conditions: query.filters, sorters: [], now: now().toISOString() };
      await using exported = await violations.export(tenant, asked);
      asOf = exported.asOf;
      yield* write(exported.violations);
    };
    // When it resolves, the snapshot is open.
    const text = await exports.fromSnapshot({ tenant, left: requestClosed(c) }, read);
    if (!text.ok) return text;
    const headers: Record<string, string> = isCsv ? { 'content-type': CSV } : {};
    if (asOf !== null) headers['x-as-of'] = asOf;
    return ok({ text: text.value, headers });
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
