import { SUMMARY_DAYS, SUMMARY_DAYS_MAX } from '@access-admin/contract';
import { fail, failure, ok } from '@access-admin/domain';
import type { RegisterStore, Store, ViolationStore } from '@access-admin/store';
import type { Exports } from '../../exports/answer-exports.ts';
import { ended } from '../../http/connection.ts';
import type { OperationHandler, OperationHandlers } from '../../operations/operation.ts';
import { queryOf } from '../answers/list.ts';
import { ndjsonOf } from '../answers/ndjson.ts';
import { onceOf } from '../answers/once-of.ts';
import { applyControl } from './apply-control.ts';
import { acceptsCsv, csvOf } from './csv.ts';
import { violationEtag } from './etag.ts';
import { answerViolations, type ListDeps } from './list.ts';
import { parseViolationQuery } from './query.ts';
import { reassignViolation } from './reassign.ts';

export interface ViolationDeps {
  readonly store: Pick<Store, 'register' | 'violations' | 'controls'>;
  readonly exports: Exports;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly newId: () => string;
}

export const violationHandlers = ({
  store: { register, violations, controls },
  exports,
  baseAddress,
  now,
  newId,
}: ViolationDeps) =>
  ({
    'list-violations-v1': listViolations({ violations, baseAddress, now }),
    'export-violations-v1': exportViolations({ register, violations, exports, now }),
    'get-violations-summary-v1': summarizeViolations(violations, now),
    'get-violation-v1': getViolation(register, now),
    'list-my-violations-v1': listMyViolations({ violations, baseAddress, now }),
    'reassign-violation-v1': reassignViolation(register, now),
    'apply-control-v1': applyControl({ controls, now, newId }),
  }) satisfies Partial<OperationHandlers>;

/** list-violations-v1 */
const listViolations =
  (deps: ListDeps): OperationHandler =>
  (request) =>
    answerViolations(request, [], deps);

/** list-my-violations-v1 */
const listMyViolations =
  (deps: ListDeps): OperationHandler =>
  (request) => {
    const values = [request.caller.identityId ?? ''];
    return answerViolations(request, [{ field: 'ownerId', operator: 'eq', values }], deps);
  };

interface ExportDeps {
  readonly register: Pick<RegisterStore, 'readView'>;
  readonly violations: Pick<ViolationStore, 'export'>;
  readonly exports: Exports;
  readonly now: () => Date;
}

/** export-violations-v1 */
const exportViolations =
  ({ register, violations, exports, now }: ExportDeps): OperationHandler =>
  async ({ caller: { tenant }, c }) => {
    const query = parseViolationQuery(queryOf({ c }));
    if (!query.ok) return query;
    const time = now().toISOString();
    const { asOf } = await register.readView(tenant, time);
    const isCsv = acceptsCsv(c.req.header('accept'));
    const write = isCsv ? csvOf : ndjsonOf;
    const reader = { tenant, left: ended(c) };
    const text = await exports.fromSnapshot(reader, () =>
      write(violations.export(tenant, { ...query.value, now: time })),
    );
    const headers = { ...(asOf === null ? {} : { 'x-as-of': asOf }), ...(isCsv ? { 'content-type': CSV } : {}) };
    return text.ok ? ok({ text: text.value, headers }) : text;
  };

const CSV = 'text/csv; charset=utf-8; header=present';

/** get-violations-summary-v1 */
const summarizeViolations =
  (violations: Pick<ViolationStore, 'summarize'>, now: () => Date): OperationHandler =>
  async ({ caller: { tenant }, c }) => {
    const given = onceOf(queryOf({ c }), 'days');
    if (!given.ok) return given;
    const days = given.value ?? String(SUMMARY_DAYS);
    if (!/^\d{1,3}$/.test(days) || Number(days) < 1 || Number(days) > SUMMARY_DAYS_MAX)
      return fail(failure('IllegalValue', 'days', `must be a whole number from 1 to ${SUMMARY_DAYS_MAX}`));
    return ok({ json: await violations.summarize(tenant, { now: now().toISOString(), days: Number(days) }) });
  };

/** get-violation-v1 */
const getViolation =
  (register: Pick<RegisterStore, 'find'>, now: () => Date): OperationHandler =>
  async ({ caller, params: { id = '' } }) => {
    const violation = await register.find(caller.tenant, id, now().toISOString());
    return violation === null
      ? fail(failure('NotFound', '', 'There is no such violation.'))
      : ok({ json: violation, headers: { etag: violationEtag(violation) } });
  };
