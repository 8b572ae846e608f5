import type { Operation } from '@access-admin/contract';
import { authorizeProof, type Caller, authorize as decide, isResourceId } from '@access-admin/domain';
import type { RequestContext } from '../env.ts';
import { type MaybePromise, whenReady } from '../event-loop/maybe-promise.ts';
import { callerOf } from '../http/caller.ts';
import type { Step } from './step.ts';

/** The identity that owns a resource; null without one. */
export type FindOwner = (tenant: string, id: string) => Promise<string | null>;

/** The owners of the kinds of resource for which an owner needs no capability. */
export type OwnerFinders = Readonly<Record<NonNullable<Operation['owner']>, FindOwner>>;

/** Refuses callers without the rights that the operation needs, and sessions without the fresh proof that it needs (403). */
export const authorize: Step = (c, operation) => {
  const { state, services } = c.env;
  const { rights } = operation;
  const caller = callerOf(c);
  return whenReady(findTarget(c, operation, caller), (targetIdentityId) => {
    const decision = decide(rights, caller, targetIdentityId);
    if (!decision.ok) return decision.failure;
    if (rights.freshProof) {
      const proof = authorizeProof(rights, caller, services.system.now().getTime());
      if (!proof.ok) return proof.failure;
    }
    state.authorization = { rights, caller, targetIdentityId };
    return null;
  });
};

/** The identity that an operation concerns. Only a caller without other rights costs a look-up. */
function findTarget(c: RequestContext, { rights, owner }: Operation, caller: Caller): MaybePromise<string | undefined> {
  const id = c.req.param('id') ?? '';
  if (owner === null) return id;
  if (caller.identityId === null || decide(rights, caller).ok || !isResourceId(id)) return undefined;
  return c.env.services.owners[owner](caller.tenant, id).then((found) => found ?? undefined);
}
