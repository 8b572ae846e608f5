import { POLICIES, sodPolicyPatch } from '@access-admin/contract';
import {
  authorOf,
  type Failure,
  fail,
  failure,
  ok,
  type Result,
  type ShownSodPolicy,
  SOD_POLICY_LEVEL_DEFAULT,
  type SodPolicy,
  validateSodPolicy,
} from '@access-admin/domain';
import { Hono } from 'hono';
import type { ApiEnv } from '../env.ts';
import { auditContext } from '../http/audit-context.ts';
import { route } from '../operations/route.ts';
import { answerList } from './answers/list.ts';
import { checkBodyId, ifMatch, withEtag } from './answers/resource.ts';
import { answerPolicyHistory } from './audit/policy-history.ts';
import { lintPolicies } from './policies/lint.ts';

/** SOD policies. */
export const policies = () =>
  new Hono<ApiEnv>()
    .on(
      ...route(POLICIES.list, (c, { caller, query }) => {
        const { policies } = c.env.services.store;
        const { filters: conditions, sorters } = query;
        return answerList(c, query.page, {
          list: (page) => policies.list(caller.tenant, { conditions, sorters }, page),
          count: () => policies.count(caller.tenant, conditions),
        });
      }),
    )
    .on(
      ...route(POLICIES.create, async (c, { caller, body }) => {
        const { store, system } = c.env.services;
        const audit = auditContext(c);
        const { id = system.newId(), level = SOD_POLICY_LEVEL_DEFAULT, ...fields } = body;
        const author = authorOf(caller);
        const times = { created: audit.time, modified: audit.time };
        const valid = validatePolicy({ ...fields, id, level, creatorId: author, modifierId: author, ...times });
        const created = valid.ok ? await store.policies.create(audit, valid.value) : valid;
        return created.ok ? withEtag(c, created.value, { status: 201, location: `/sod-policies/v1/${id}` }) : created;
      }),
    )
    // Before `/sod-policies/v1/:id`: the router takes the first route that matches.
    .on(...route(POLICIES.lint, lintPolicies))
    .on(
      ...route(POLICIES.get, async (c, { caller, params }) => {
        const policy = await c.env.services.store.policies.find(caller.tenant, params.id);
        return policy === null ? fail(failure('NotFound', '', 'There is no such SOD policy.')) : withEtag(c, policy);
      }),
    )
    .on(
      ...route(POLICIES.put, async (c, { caller, params: { id }, body }) => {
        const { id: given, ...fields } = body;
        const named = checkBodyId(given, id);
        if (!named.ok) return named;
        const audit = auditContext(c);
        const decide = ({ level, creatorId, created }: ShownSodPolicy) => {
          const made = { id, creatorId, created, modifierId: authorOf(caller), modified: audit.time };
          return validatePolicy({ level, ...fields, ...made });
        };
        const changed = await c.env.services.store.policies.change(audit, id, {
          // An issue of the body has precedence over `If-Match`.
          precondition: (shown) => {
            const decided = decide(shown);
            return decided.ok ? ifMatch(c)(shown) : decided;
          },
          decide,
        });
        return changed.ok ? withEtag(c, changed.value) : changed;
      }),
    )
    .on(
      ...route(POLICIES.patch, async (c, { caller, params, body }) => {
        const audit = auditContext(c);
        const changed = await c.env.services.store.policies.change(audit, params.id, {
          decide: (shown) => {
            const fields = sodPolicyPatch.apply(shown, body);
            if (!fields.ok) return fields;
            const { id, level, creatorId, created } = shown;
            const made = { id, creatorId, created, modifierId: authorOf(caller), modified: audit.time };
            return validatePolicy({ level, ...fields.value, ...made });
          },
          precondition: ifMatch(c),
        });
        return changed.ok ? withEtag(c, changed.value) : changed;
      }),
    )
    .on(
      ...route(POLICIES.delete, async (c, { params }) => {
        const deleted = await c.env.services.store.policies.delete(auditContext(c), params.id, ifMatch(c));
        return deleted.ok ? c.body(null, 204) : deleted;
      }),
    )
    .on(...route(POLICIES.history, answerPolicyHistory));

function validatePolicy(policy: SodPolicy): Result<SodPolicy, Failure> {
  const unsound = validateSodPolicy(policy);
  return unsound === null ? ok(policy) : fail(unsound);
}
