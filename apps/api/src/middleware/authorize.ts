import type { Operation } from '@access-admin/contract';
import { authorize, authorizeProof, type Caller, isResourceId } from '@access-admin/domain';
import { callerOf } from '../http/caller.ts';
import type { Middleware, RequestContext } from '../http/env.ts';
import { refuse } from '../http/problem.ts';

/** The identity that owns a resource; null without one. */
export type FindOwner = (tenant: string, id: string) => Promise<string | null>;

/** The owners of the kinds of resource for which an owner needs no capability. */
export type OwnerFinders = Readonly<Record<NonNullable<Operation['owner']>, FindOwner>>;

export interface AuthorizeDeps {
  readonly owners: OwnerFinders;
  readonly now: () => Date;
}

/**
 * Refuses callers without the rights that the operation needs, and sessions without the fresh proof that it needs (403). Only a
 * caller without other rights costs a look-up.
 */
export function authorized({ rights, owner }: Operation, { owners, now }: AuthorizeDeps): Middleware {
  const findOwner = owner === null ? null : owners[owner];
  const findTarget = async (c: RequestContext, caller: Caller): Promise<string | undefined> => {
    const id = c.req.param('id') ?? '';
    if (findOwner === null) return id;
    if (caller.identityId === null || authorize(rights, caller).ok || !isResourceId(id)) return undefined;
    return (await findOwner(caller.tenant, id)) ?? undefined;
  };
  return async (c, next) => {
    const caller = callerOf(c);
    const targetIdentityId = await findTarget(c, caller);
    const decision = authorize(rights, caller, targetIdentityId);
    if (!decision.ok) return refuse(c, decision.failure);
    const proof = authorizeProof(rights, caller, now().getTime());
    if (!proof.ok) return refuse(c, proof.failure);
    c.get('state').authorization = { rights, caller, targetIdentityId };
    return next();
  };
}
