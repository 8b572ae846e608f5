import { sodPolicyFields, validate } from '@access-admin/contract';
import {
  authorOf,
  type Failure,
  fail,
  failure,
  ok,
  patchSodPolicy,
  type Result,
  type ShownSodPolicy,
  SOD_POLICY_LEVEL_DEFAULT,
  type SodPolicy,
  validateSodPolicy,
} from '@access-admin/domain';
import type { PolicyStore } from '@access-admin/store';
import type { Jobs } from '../../event-loop/jobs.ts';
import { auditContextOfRequest, type OperationHandler, type OperationHandlers } from '../../operations/operation.ts';
import { answerList } from '../answers/list.ts';
import { ifMatch, withEtag } from '../answers/resource.ts';
import { lintSodPolicies } from './lint.ts';
import type { LoadLintRulebook } from './lint-rulebooks.ts';

export interface SodPolicyParts {
  readonly policies: PolicyStore;
  readonly loadRulebook: LoadLintRulebook;
  readonly jobs: Jobs;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** The operations on SOD policies. */
export const policyHandlers = ({ policies, loadRulebook, jobs, baseAddress, now, newId }: SodPolicyParts) =>
  ({
    'list-sod-policies-v1': (request) => {
      const { caller, query } = request;
      const { filters: conditions, sorters } = query;
      return answerList(request, baseAddress, {
        list: (page) => policies.list(caller.tenant, { conditions, sorters }, page),
        count: () => policies.count(caller.tenant, conditions),
      });
    },
    'create-sod-policy-v1': createSodPolicy(policies, now, newId),
    'lint-sod-policies-v1': lintSodPolicies(loadRulebook, jobs),
    'get-sod-policy-v1': async ({ caller, params }) => {
      const policy = await policies.find(caller.tenant, params.id);
      return policy === null ? fail(failure('NotFound', '', 'There is no such SOD policy.')) : withEtag(policy);
    },
    'put-sod-policy-v1': putSodPolicy(policies, now),
    'patch-sod-policy-v1': patchSodPolicyRoute(policies, now),
    'delete-sod-policy-v1': async (request) => {
      const auditContext = auditContextOfRequest(request, now());
      const deleted = await policies.delete(auditContext, request.params.id, ifMatch(request));
      return deleted.ok ? ok({ isEmpty: true }) : deleted;
    },
  }) satisfies Partial<OperationHandlers>;

/** create-sod-policy-v1 */
const createSodPolicy =
  (policies: PolicyStore, now: () => Date, newId: () => string): OperationHandler<'create-sod-policy-v1'> =>
  async (request) => {
    const auditContext = auditContextOfRequest(request, now());
    const { id = newId(), level = SOD_POLICY_LEVEL_DEFAULT, ...fields } = request.body;
    const author = authorOf(request.caller);
    const valid = validatePolicy({
      ...fields,
      id,
      level,
      creatorId: author,
      modifierId: author,
      created: auditContext.time,
      modified: auditContext.time,
    });
    const created = valid.ok ? await policies.create(auditContext, valid.value) : valid;
    return created.ok ? withEtag(created.value, { location: `/sod-policies/v1/${id}` }) : created;
  };

/** put-sod-policy-v1 */
const putSodPolicy =
  (policies: PolicyStore, now: () => Date): OperationHandler<'put-sod-policy-v1'> =>
  async (request) => {
    const { id } = request.params;
    const { id: given = id, ...fields } = request.body;
    if (given !== id) return fail(failure('IllegalValue', 'id', 'must be that of the path, or be left out'));
    const auditContext = auditContextOfRequest(request, now());
    const decide = ({ level, creatorId, created }: ShownSodPolicy) =>
      validatePolicy({
        level,
        ...fields,
        id,
        creatorId,
        modifierId: authorOf(request.caller),
        created,
        modified: auditContext.time,
      });
    const changed = await policies.change(auditContext, id, {
      // An issue of the body has precedence over `If-Match`.
      precondition: (shown) => {
        const decided = decide(shown);
        return decided.ok ? ifMatch(request)(shown) : decided;
      },
      decide,
    });
    return changed.ok ? withEtag(changed.value) : changed;
  };

/** patch-sod-policy-v1 */
const patchSodPolicyRoute =
  (policies: PolicyStore, now: () => Date): OperationHandler<'patch-sod-policy-v1'> =>
  async (request) => {
    const auditContext = auditContextOfRequest(request, now());
    const changed = await policies.change(auditContext, request.params.id, {
      decide: (shown) => {
        const patched = patchSodPolicy(shown, request.body);
        const fields = patched.ok ? validate(sodPolicyFields, patched.value) : patched;
        if (!fields.ok) return fields;
        const { id, level, creatorId, created } = shown;
        return validatePolicy({
          level,
          ...fields.value,
          id,
          creatorId,
          modifierId: authorOf(request.caller),
          created,
          modified: auditContext.time,
        });
      },
      precondition: ifMatch(request),
    });
    return changed.ok ? withEtag(changed.value) : changed;
  };

function validatePolicy(policy: SodPolicy): Result<SodPolicy, Failure> {
  const unsound = validateSodPolicy(policy);
  return unsound === null ? ok(policy) : fail(unsound);
}
