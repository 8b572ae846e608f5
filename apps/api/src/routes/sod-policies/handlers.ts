import {
  parseFilters,
  parseSorters,
  SOD_POLICY_FILTERS,
  SOD_POLICY_SORTERS,
  sodPolicyFields,
  validate,
} from '@access-admin/contract';
import {
  type Failure,
  fail,
  failure,
  ok,
  parseSodPolicyPatch,
  patchSodPolicy,
  type Result,
  type SodPolicy,
  validateSodPolicy,
} from '@access-admin/domain';
import type { PolicyCondition, PolicySorter, SodPolicyStore, Store } from '@access-admin/store';
import type { InferOutput } from 'valibot';
import type { OperationHandlers } from '../../operations/operation.ts';
import { auditContextOfRequest, type OperationHandler } from '../../operations/operation.ts';
import { answerList, queryOf } from '../answers/list.ts';
import { onceOf } from '../answers/once-of.ts';
import { ifMatch, withEtag } from '../answers/resource.ts';
import { type LintDeps, lintSodPolicies } from './lint.ts';

export interface SodPolicyDeps extends LintDeps {
  readonly store: Pick<Store, 'sodPolicies'>;
  readonly baseAddress: string;
  readonly now: () => Date;
  readonly newId: () => string;
}

export const sodPolicyHandlers = ({ store: { sodPolicies: policies }, baseAddress, now, ...deps }: SodPolicyDeps) =>
  ({
    'list-sod-policies-v1': listSodPolicies(policies, baseAddress),
    'create-sod-policy-v1': createSodPolicy({ policies, now, newId: deps.newId }),
    'lint-sod-policies-v1': lintSodPolicies(deps),
    'get-sod-policy-v1': getSodPolicy(policies),
    'put-sod-policy-v1': putSodPolicy(policies, now),
    'patch-sod-policy-v1': patchSodPolicyRoute(policies, now),
    'delete-sod-policy-v1': deleteSodPolicy(policies, now),
  }) satisfies Partial<OperationHandlers>;

/** list-sod-policies-v1 */
const listSodPolicies =
  (policies: SodPolicyStore, baseAddress: string): OperationHandler =>
  (request) => {
    const { tenant } = request.caller;
    const query = parseQuery(queryOf(request));
    if (!query.ok) return query;
    const { conditions } = query.value;
    return answerList(request, baseAddress, {
      list: (page) => policies.list(tenant, query.value, page),
      count: () => policies.count(tenant, conditions),
    });
  };

interface CreatePolicyDeps {
  readonly policies: SodPolicyStore;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** create-sod-policy-v1 */
const createSodPolicy =
  ({ policies, now, newId }: CreatePolicyDeps): OperationHandler =>
  async (request) => {
    const auditContext = auditContextOfRequest(request, now());
    const { id = newId(), ...fields } = request.body as PolicyFields;
    const valid = validatePolicy({ ...fields, id, created: auditContext.time, modified: auditContext.time });
    const created = valid.ok ? await policies.create(auditContext, valid.value) : valid;
    return created.ok ? withEtag(created.value, { location: `/sod-policies/v1/${id}` }) : created;
  };

/** get-sod-policy-v1 */
const getSodPolicy =
  (policies: SodPolicyStore): OperationHandler =>
  async ({ caller, params: { id = '' } }) => {
    const policy = await policies.find(caller.tenant, id);
    return policy === null ? fail(failure('NotFound', '', 'There is no such SOD policy.')) : withEtag(policy);
  };

/** put-sod-policy-v1 */
const putSodPolicy =
  (policies: SodPolicyStore, now: () => Date): OperationHandler =>
  async (request) => {
    const { id = '' } = request.params;
    const { id: given = id, ...fields } = request.body as PolicyFields;
    if (given !== id) return fail(failure('IllegalValue', 'id', 'must be that of the path, or be left out'));
    const auditContext = auditContextOfRequest(request, now());
    const decide = ({ created }: SodPolicy) => validatePolicy({ ...fields, id, created, modified: auditContext.time });
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
  (policies: SodPolicyStore, now: () => Date): OperationHandler =>
  async (request) => {
    const patch = parseSodPolicyPatch(request.body);
    if (!patch.ok) return patch;
    const auditContext = auditContextOfRequest(request, now());
    const changed = await policies.change(auditContext, request.params['id'] ?? '', {
      decide: (shown) => {
        const patched = patchSodPolicy(shown, patch.value);
        const fields = patched.ok ? validate(sodPolicyFields, patched.value) : patched;
        if (!fields.ok) return fields;
        const { id, created } = shown;
        return validatePolicy({ ...fields.value, id, created, modified: auditContext.time });
      },
      precondition: ifMatch(request),
    });
    return changed.ok ? withEtag(changed.value) : changed;
  };

/** delete-sod-policy-v1 */
const deleteSodPolicy =
  (policies: SodPolicyStore, now: () => Date): OperationHandler =>
  async (request) => {
    const auditContext = auditContextOfRequest(request, now());
    const deleted = await policies.delete(auditContext, request.params['id'] ?? '', ifMatch(request));
    return deleted.ok ? ok({ json: null }) : deleted;
  };

type PolicyFields = InferOutput<typeof sodPolicyFields>;

function validatePolicy(policy: SodPolicy): Result<SodPolicy, Failure> {
  const unsound = validateSodPolicy(policy);
  return unsound === null ? ok(policy) : fail(unsound);
}

interface PolicyQuery {
  readonly conditions: readonly PolicyCondition[];
  readonly sorters: readonly PolicySorter[];
}

function parseQuery(query: URLSearchParams): Result<PolicyQuery, Failure> {
  const filters = onceOf(query, 'filters');
  const sorters = onceOf(query, 'sorters');
  if (!filters.ok) return filters;
  if (!sorters.ok) return sorters;
  const conditions = filters.value === null ? ok([]) : parseFilters(filters.value, SOD_POLICY_FILTERS);
  if (!conditions.ok) return conditions;
  const sorted = sorters.value === null ? ok([]) : parseSorters(sorters.value, SOD_POLICY_SORTERS);
  return sorted.ok ? ok({ conditions: conditions.value as readonly PolicyCondition[], sorters: sorted.value }) : sorted;
}
