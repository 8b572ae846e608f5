import type { Operation } from '@access-admin/contract';
import { authorize, authorizeProof, type Forbidden, isResourceId, type Result } from '@access-admin/domain';
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
  const decide = async (c: RequestContext): Promise<Result<null, Forbidden>> => {
    const caller = callerOf(c);
    const target = c.req.param('id') ?? '';
    if (findOwner === null) return authorize(rights, caller, target);
    const byRights = authorize(rights, caller);
    if (byRights.ok || caller.identityId === null || !isResourceId(target)) return byRights;
    return authorize(rights, caller, (await findOwner(caller.tenant, target)) ?? undefined);
  };
  return async (c, next) => {
    const decision = await decide(c);
    if (!decision.ok) return refuse(c, decision.failure);
    const proof = authorizeProof(rights, callerOf(c), now().getTime());
    return proof.ok ? next() : refuse(c, proof.failure);
  };
}
