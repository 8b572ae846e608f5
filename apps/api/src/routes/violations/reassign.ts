import type { reassignment } from '@access-admin/contract';
import { authorize, ok } from '@access-admin/domain';
import type { RegisterStore } from '@access-admin/store';
import type { InferOutput } from 'valibot';
import { auditContextOfRequest, type OperationHandler } from '../../operations/operation.ts';
import { violationEtag } from './etag.ts';

/** reassign-violation-v1 */
export const reassignViolation =
  (register: RegisterStore, now: () => Date): OperationHandler =>
  async (request) => {
    const { caller, operation, params } = request;
    const { assigneeId, comments } = request.body as InferOutput<typeof reassignment>;
    const reassigned = await register.reassign(auditContextOfRequest(request, now()), {
      id: params['id'] ?? '',
      ...{ assigneeId, comments },
      caller: { identityId: caller.identityId, isForAll: authorize(operation.id, caller).ok },
    });
    if (!reassigned.ok) return reassigned;
    const violation = reassigned.value;
    return ok(
      violation === null ? { isEmpty: true } : { json: violation, headers: { etag: violationEtag(violation) } },
    );
  };
