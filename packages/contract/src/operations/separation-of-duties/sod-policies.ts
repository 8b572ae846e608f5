import { SMALL_BODY_BYTES_MAX } from '../../limits.ts';
import { auditEvents } from '../../schemas/administration/audit-events.ts';
import { policyFindings } from '../../schemas/sod-lint.ts';
import {
  SOD_POLICY_FILTERS,
  SOD_POLICY_SORTERS,
  sodPolicies,
  sodPolicy,
  sodPolicyFields,
} from '../../schemas/sod-policies.ts';
import { defaults, jsonBody, jsonResponse, NO_CONTENT, type Operation, patchBody } from '../definition.ts';

const group = 'SOD Policies';

/** The operations on SOD policies. */
export const SOD_POLICY_OPERATIONS: readonly Operation[] = [
  {
    ...defaults,
    id: 'list-sod-policies-v1',
    method: 'GET',
    path: '/sod-policies/v1',
    group,
    summary: 'List of SOD policies',
    response: jsonResponse(sodPolicies),
    list: true,
    filters: SOD_POLICY_FILTERS,
    sorters: SOD_POLICY_SORTERS,
  },
  {
    ...defaults,
    id: 'create-sod-policy-v1',
    method: 'POST',
    path: '/sod-policies/v1',
    group,
    summary: 'Create an SOD policy',
    body: jsonBody(sodPolicyFields, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(sodPolicy, 201),
    errorStatuses: [409],
  },
  {
    // Before `/sod-policies/v1/{id}`: the router takes the first route that matches.
    ...defaults,
    id: 'lint-sod-policies-v1',
    method: 'GET',
    path: '/sod-policies/v1/lint',
    group,
    summary: 'Findings of lint on the SOD policies',
    response: jsonResponse(policyFindings),
  },
  {
    ...defaults,
    id: 'get-sod-policy-v1',
    method: 'GET',
    path: '/sod-policies/v1/{id}',
    group,
    summary: 'One SOD policy',
    response: jsonResponse(sodPolicy),
    etag: true,
    errorStatuses: [404],
  },
  {
    ...defaults,
    id: 'put-sod-policy-v1',
    method: 'PUT',
    path: '/sod-policies/v1/{id}',
    group,
    summary: 'Replace an SOD policy',
    body: jsonBody(sodPolicyFields, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(sodPolicy),
    etag: true,
    errorStatuses: [404, 412],
  },
  {
    ...defaults,
    id: 'patch-sod-policy-v1',
    method: 'PATCH',
    path: '/sod-policies/v1/{id}',
    group,
    summary: 'Change an SOD policy',
    body: patchBody,
    response: jsonResponse(sodPolicy),
    etag: true,
    errorStatuses: [404, 409, 412],
  },
  {
    ...defaults,
    id: 'delete-sod-policy-v1',
    method: 'DELETE',
    path: '/sod-policies/v1/{id}',
    group,
    summary: 'Delete an SOD policy',
    response: NO_CONTENT,
    etag: true,
    errorStatuses: [404, 412],
  },
  {
    ...defaults,
    id: 'get-sod-policy-history-v1',
    method: 'GET',
    path: '/sod-policies/v1/{id}/history',
    group,
    summary: 'The audit events of an SOD policy, by sequence, also after the policy is deleted',
    response: jsonResponse(auditEvents),
    list: true,
    errorStatuses: [404],
  },
];
