import { CONTROL_FILTERS, controlFields, parseFilters, validate } from '@access-admin/contract';
import {
  type Control,
  type ControlFields,
  completeControl,
  type Failure,
  fail,
  failure,
  ok,
  parseControlPatch,
  patchControl,
  type Result,
} from '@access-admin/domain';
import type { ControlCondition, ControlStore, Store } from '@access-admin/store';
import type { OperationHandlers } from '../../operations/operation.ts';
import { auditContextOfRequest, type OperationHandler } from '../../operations/operation.ts';
import { answerList, queryOf } from '../answers/list.ts';
import { onceOf } from '../answers/once-of.ts';
import { ifMatch, withEtag } from '../answers/resource.ts';

export interface ControlDeps {
  readonly store: Pick<Store, 'controls'>;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly newId: () => string;
}

export const controlHandlers = ({ store: { controls }, baseAddress, now, newId }: ControlDeps) =>
  ({
    'list-controls-v1': listControls(controls, baseAddress),
    'create-control-v1': createControl({ controls, now, newId }),
    'get-control-v1': getControl(controls),
    'put-control-v1': putControl(controls, now),
    'patch-control-v1': patchControlRoute(controls, now),
    'delete-control-v1': deleteControl(controls, now),
  }) satisfies Partial<OperationHandlers>;

/** list-controls-v1 */
const listControls =
  (controls: ControlStore, baseAddress: string): OperationHandler =>
  (request) => {
    const conditions = parseConditions(queryOf(request));
    if (!conditions.ok) return conditions;
    const { tenant } = request.caller;
    return answerList(request, baseAddress, {
      list: (page) => controls.list(tenant, conditions.value, page),
      count: () => controls.count(tenant, conditions.value),
    });
  };

interface CreateControlDeps {
  readonly controls: ControlStore;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** The output of `controlFields`. */
type GivenFields = Omit<ControlFields, 'id'> & { readonly id?: string };

/** create-control-v1 */
const createControl =
  ({ controls, now, newId }: CreateControlDeps): OperationHandler =>
  async (request) => {
    const auditContext = auditContextOfRequest(request, now());
    const { id = newId(), ...fields } = request.body as GivenFields;
    const created = await controls.create(auditContext, completeControl({ ...fields, id }, null, auditContext.time));
    return created.ok ? withEtag(created.value, { location: `/controls/v1/${id}` }) : created;
  };

/** get-control-v1 */
const getControl =
  (controls: ControlStore): OperationHandler =>
  async ({ caller, params: { id = '' } }) => {
    const control = await controls.find(caller.tenant, id);
    return control === null ? fail(failure('NotFound', '', 'There is no such control.')) : withEtag(control);
  };

/** put-control-v1 */
const putControl =
  (controls: ControlStore, now: () => Date): OperationHandler =>
  async (request) => {
    const { id = '' } = request.params;
    const { id: given = id, ...fields } = request.body as GivenFields;
    if (given !== id) return fail(failure('IllegalValue', 'id', 'must be that of the path, or be left out'));
    const auditContext = auditContextOfRequest(request, now());
    const changed = await controls.change(auditContext, id, {
      precondition: ifMatch(request),
      decide: (shown): Result<Control, Failure> => ok({ ...shown, ...fields }),
    });
    return changed.ok ? withEtag(changed.value) : changed;
  };

/** patch-control-v1 */
const patchControlRoute =
  (controls: ControlStore, now: () => Date): OperationHandler =>
  async (request) => {
    const patch = parseControlPatch(request.body);
    if (!patch.ok) return patch;
    const auditContext = auditContextOfRequest(request, now());
    const changed = await controls.change(auditContext, request.params['id'] ?? '', {
      decide: (shown): Result<Control, Failure> => {
        const patched = patchControl(shown, patch.value);
        const fields = patched.ok ? validate(controlFields, patched.value) : patched;
        return fields.ok ? ok({ ...shown, ...fields.value }) : fields;
      },
      precondition: ifMatch(request),
    });
    return changed.ok ? withEtag(changed.value) : changed;
  };

/** delete-control-v1 */
const deleteControl =
  (controls: ControlStore, now: () => Date): OperationHandler =>
  async (request) => {
    const auditContext = auditContextOfRequest(request, now());
    const deleted = await controls.delete(auditContext, request.params['id'] ?? '', ifMatch(request));
    return deleted.ok ? ok({ json: null }) : deleted;
  };

function parseConditions(query: URLSearchParams): Result<readonly ControlCondition[], Failure> {
  const filters = onceOf(query, 'filters');
  if (!filters.ok) return filters;
  const conditions = filters.value === null ? ok([]) : parseFilters(filters.value, CONTROL_FILTERS);
  return conditions.ok ? ok(conditions.value as readonly ControlCondition[]) : conditions;
}
