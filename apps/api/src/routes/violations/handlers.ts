import { SUMMARY_DAYS, SUMMARY_DAYS_MAX } from '@access-admin/contract';
import { fail, failure, ok } from '@access-admin/domain';
import type { RegisterStore, Store, ViolationStore } from '@access-admin/store';
import type { Exports } from '../../exports/answer-exports.ts';
import type { OperationHandler, OperationHandlers } from '../../operations/request.ts';
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
    'export-violations-v1': exportViolations({ violations, exports, now }),
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
  readonly violations: Pick<ViolationStore, 'export'>;
  readonly exports: Exports;
  readonly now: () => Date;
}

/** export-violations-v1 */
const exportViolations =
  ({ violations, exports, now }: ExportDeps): OperationHandler =>
  async ({ caller: { tenant }, exchange }) => {
    const query = parseViolationQuery(queryOf({ exchange }));
    if (!query.ok) return query;
    const isCsv = acceptsCsv(exchange.header('accept'));
    const write = isCsv ? csvOf : ndjsonOf;
    let asOf: string | null = null;
    const read = async function* () {
      await using exported = await violations.export(tenant, { ...query.value, now: now().toISOString() });
      asOf = exported.asOf;
      yield* write(exported.violations);
    };
    // When it resolves, the snapshot is open.
    const text = await exports.fromSnapshot({ tenant, left: exchange.signal() }, read);
    if (!text.ok) return text;
    const headers: Record<string, string> = isCsv ? { 'content-type': CSV } : {};
    if (asOf !== null) headers['x-as-of'] = asOf;
    return ok({ text: text.value, headers });
  };

const CSV = 'text/csv; charset=utf-8; header=present';

/** get-violations-summary-v1 */
const summarizeViolations =
  (violations: Pick<ViolationStore, 'summarize'>, now: () => Date): OperationHandler =>
  async ({ caller: { tenant }, exchange }) => {
    const given = onceOf(queryOf({ exchange }), 'days');
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
