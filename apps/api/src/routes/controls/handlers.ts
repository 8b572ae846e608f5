import { controlFields, validate } from '@access-admin/contract';
import {
  type Control,
  completeControl,
  type Failure,
  fail,
  failure,
  ok,
  patchControl,
  type Result,
} from '@access-admin/domain';
import type { ControlStore } from '@access-admin/store';
import { answerList, withEtag } from '../../operations/answers.ts';
import { auditContextOfRequest, type OperationHandler, type OperationHandlers } from '../../operations/operation.ts';
import { ifMatch } from '../answers/resource.ts';

export interface ControlParts {
  readonly controls: ControlStore;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** The operations on compensating controls. */
export const controlHandlers = ({ controls, baseAddress, now, newId }: ControlParts) =>
  ({
    'list-controls-v1': (request) => {
      const { caller, query } = request;
      return answerList(request, baseAddress, {
        list: (page) => controls.list(caller.tenant, query.filters, page),
        count: () => controls.count(caller.tenant, query.filters),
      });
    },
    'create-control-v1': async (request) => {
      const auditContext = auditContextOfRequest(request, now());
      const { id = newId(), ...fields } = request.body;
      const created = await controls.create(auditContext, completeControl({ ...fields, id }, null, auditContext.time));
      return created.ok ? withEtag(created.value, { location: `/controls/v1/${id}` }) : created;
    },
    'get-control-v1': async ({ caller, params }) => {
      const control = await controls.find(caller.tenant, params.id);
      return control === null ? fail(failure('NotFound', '', 'There is no such control.')) : withEtag(control);
    },
    'put-control-v1': putControl(controls, now),
    'patch-control-v1': patchControlRoute(controls, now),
    'delete-control-v1': async (request) => {
      const auditContext = auditContextOfRequest(request, now());
      const deleted = await controls.delete(auditContext, request.params.id, ifMatch(request.c));
      return deleted.ok ? ok({ isEmpty: true }) : deleted;
    },
  }) satisfies Partial<OperationHandlers>;

/** put-control-v1 */
const putControl =
  (controls: ControlStore, now: () => Date): OperationHandler<'put-control-v1'> =>
  async (request) => {
    const { id } = request.params;
    const { id: given = id, ...fields } = request.body;
    if (given !== id) return fail(failure('IllegalValue', 'id', 'must be that of the path, or be left out'));
    const changed = await controls.change(auditContextOfRequest(request, now()), id, {
      precondition: ifMatch(request.c),
      decide: (shown): Result<Control, Failure> => ok({ ...shown, ...fields }),
    });
    return changed.ok ? withEtag(changed.value) : changed;
  };

/** patch-control-v1 */
const patchControlRoute =
  (controls: ControlStore, now: () => Date): OperationHandler<'patch-control-v1'> =>
  async (request) => {
    const changed = await controls.change(auditContextOfRequest(request, now()), request.params.id, {
      decide: (shown): Result<Control, Failure> => {
        const patched = patchControl(shown, request.body);
        const fields = patched.ok ? validate(controlFields, patched.value) : patched;
        return fields.ok ? ok({ ...shown, ...fields.value }) : fields;
      },
      precondition: ifMatch(request.c),
    });
    return changed.ok ? withEtag(changed.value) : changed;
  };
