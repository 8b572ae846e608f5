import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import { policyFindings } from '../schemas/sod-lint.ts';
import {
  SOD_POLICY_FILTERS,
  SOD_POLICY_SORTERS,
  sodPolicies,
  sodPolicy,
  sodPolicyFields,
} from '../schemas/sod-policies.ts';
import { answer, json, type Operation, patchBody, plain } from './definition.ts';

const group = 'SOD Policies';

/** The operations on SOD policies. */
export const SOD_POLICY_OPERATIONS: readonly Operation[] = [
  {
    ...plain,
    id: 'list-sod-policies-v1',
    method: 'GET',
    path: '/sod-policies/v1',
    group,
    summary: 'List of SOD policies',
    answer: answer(sodPolicies),
    list: true,
    filters: SOD_POLICY_FILTERS,
    sorters: SOD_POLICY_SORTERS,
  },
  {
    ...plain,
    id: 'create-sod-policy-v1',
    method: 'POST',
    path: '/sod-policies/v1',
    group,
    summary: 'Create an SOD policy',
    body: json(sodPolicyFields, SMALL_BODY_BYTES_MAX),
    answer: answer(sodPolicy, 201),
    refusals: [409],
  },
  {
    // Before the policy whose id it would be: the first route that fits is taken.
    ...plain,
    id: 'lint-sod-policies-v1',
    method: 'GET',
    path: '/sod-policies/v1/lint',
    group,
    summary: 'What is odd about the SOD policies',
    answer: answer(policyFindings),
  },
  {
    ...plain,
    id: 'get-sod-policy-v1',
    method: 'GET',
    path: '/sod-policies/v1/{id}',
    group,
    summary: 'One SOD policy',
    answer: answer(sodPolicy),
    etag: true,
    refusals: [404],
  },
  {
    ...plain,
    id: 'put-sod-policy-v1',
    method: 'PUT',
    path: '/sod-policies/v1/{id}',
    group,
    summary: 'Replace an SOD policy',
    body: json(sodPolicyFields, SMALL_BODY_BYTES_MAX),
    answer: answer(sodPolicy),
    etag: true,
    refusals: [404, 412],
  },
  {
    ...plain,
    id: 'patch-sod-policy-v1',
    method: 'PATCH',
    path: '/sod-policies/v1/{id}',
    group,
    summary: 'Change an SOD policy',
    body: patchBody,
    answer: answer(sodPolicy),
    etag: true,
    refusals: [404, 409, 412],
  },
  {
    ...plain,
    id: 'delete-sod-policy-v1',
    method: 'DELETE',
    path: '/sod-policies/v1/{id}',
    group,
    summary: 'Delete an SOD policy',
    answer: { status: 204, mediaType: null, schema: null },
    etag: true,
    refusals: [404, 412],
  },
];
