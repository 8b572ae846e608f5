import type { controlApplication } from '@access-admin/contract';
import { ok } from '@access-admin/domain';
import type { ControlStore } from '@access-admin/store';
import type { InferOutput } from 'valibot';
import { auditContextOfRequest, type OperationHandler } from '../../operations/operation.ts';

export interface ApplyControlDeps {
  readonly controls: ControlStore;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** apply-control-v1 */
export const applyControl =
  ({ controls, now, newId }: ApplyControlDeps): OperationHandler =>
  async (request) => {
    const { caller, params } = request;
    const { control, comments } = request.body as InferOutput<typeof controlApplication>;
    if (caller.identityId === null) throw new Error('The operation is for identities only.');
    const applied = await controls.apply(auditContextOfRequest(request, now()), {
      ...{ id: newId(), exceptionId: newId(), violationId: params['id'] ?? '' },
      ...{ controlId: control.id, comments, applierId: caller.identityId },
    });
    return applied.ok ? ok({ json: applied.value }) : applied;
  };
