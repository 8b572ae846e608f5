import { type OperationRights, RIGHTS_TO_READ } from '@access-admin/domain';
import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import { auditEvents } from '../schemas/audit.ts';
import {
  policyFindings,
  SOD_POLICY_FILTERS,
  SOD_POLICY_SORTERS,
  sodPolicies,
  sodPolicy,
  sodPolicyFields,
  sodPolicyPatch,
} from '../schemas/policies.ts';
import { defineOperation, jsonBody, jsonResponse, NO_CONTENT, patchBody } from './define-operation.ts';

const group = 'SOD Policies';

const MANAGE: OperationRights = {
  scopes: ['sod-policies:manage'],
  capabilities: ['ORG_ADMIN', 'POLICY_ADMIN'],
  resource: 'SOD_POLICY',
};

/** The operations on SOD policies. */
export const POLICIES = {
  list: defineOperation({
    id: 'list-sod-policies-v1',
    method: 'GET',
    path: '/sod-policies/v1',
    group,
    summary: 'List of SOD policies',
    description: 'Lists the SOD policies of the tenant.',
    rights: RIGHTS_TO_READ.SOD_POLICY,
    list: true,
    filters: SOD_POLICY_FILTERS,
    sorters: SOD_POLICY_SORTERS,
    response: jsonResponse(sodPolicies),
  }),
  create: defineOperation({
    id: 'create-sod-policy-v1',
    method: 'POST',
    path: '/sod-policies/v1',
    group,
    summary: 'Create an SOD policy',
    description:
      'Creates an SOD policy. It has two sides, or up to ten sides of which an identity may be on fewer than `atLeast`. With one side (critical access) any one of its items is a violation; `atLeast` is 1 then and may be left out. Without an `id` the service makes one. All items must exist.',
    rights: MANAGE,
    body: jsonBody(sodPolicyFields, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(sodPolicy, 201),
    errors: [409],
  }),
  // Before `/sod-policies/v1/{id}`: the router takes the first route that matches.
  lint: defineOperation({
    id: 'lint-sod-policies-v1',
    method: 'GET',
    path: '/sod-policies/v1/lint',
    group,
    summary: 'Findings of lint on the SOD policies',
    description:
      'Examines the rulebook itself, without identities: policies that cannot match, repeat or contain others, name deleted items, or are violated by a single role or access profile.',
    rights: RIGHTS_TO_READ.SOD_POLICY,
    response: jsonResponse(policyFindings),
  }),
  get: defineOperation({
    id: 'get-sod-policy-v1',
    method: 'GET',
    path: '/sod-policies/v1/{id}',
    group,
    summary: 'One SOD policy',
    description: 'Returns one SOD policy. Items that have been deleted since are marked with `deleted`.',
    rights: RIGHTS_TO_READ.SOD_POLICY,
    response: jsonResponse(sodPolicy),
    errors: [404],
    etag: true,
  }),
  put: defineOperation({
    id: 'put-sod-policy-v1',
    method: 'PUT',
    path: '/sod-policies/v1/{id}',
    group,
    summary: 'Replace an SOD policy',
    description:
      'Replaces an SOD policy as a whole; properties that are left out get their defaults, but the level stays. A policy can be sent back as it was read.',
    rights: MANAGE,
    body: jsonBody(sodPolicyFields, SMALL_BODY_BYTES_MAX),
    response: jsonResponse(sodPolicy),
    errors: [404, 412],
    etag: true,
  }),
  patch: defineOperation({
    id: 'patch-sod-policy-v1',
    method: 'PATCH',
    path: '/sod-policies/v1/{id}',
    group,
    summary: 'Change an SOD policy',
    description:
      'Changes an SOD policy by a JSON Patch (RFC 6902). `id`, `type`, `policyQuery`, `created`, `modified`, `creatorId` and `modifierId` cannot be changed.',
    rights: MANAGE,
    body: patchBody(sodPolicyPatch.parse),
    response: jsonResponse(sodPolicy),
    errors: [404, 409, 412],
    etag: true,
  }),
  delete: defineOperation({
    id: 'delete-sod-policy-v1',
    method: 'DELETE',
    path: '/sod-policies/v1/{id}',
    group,
    summary: 'Delete an SOD policy',
    description:
      'Deletes an SOD policy. Exceptions from it end; its history stays in the audit log. To switch a policy off and keep it, patch `/state` to `NOT_ENFORCED`.',
    rights: MANAGE,
    response: NO_CONTENT,
    errors: [404, 412],
    etag: true,
  }),
  history: defineOperation({
    id: 'get-sod-policy-history-v1',
    method: 'GET',
    path: '/sod-policies/v1/{id}/history',
    group,
    summary: 'The audit events of an SOD policy, by sequence, also after the policy is deleted',
    description:
      'Returns who changed a policy, when, and each changed property before and after: its audit events by sequence. It works after the policy is deleted, too.',
    rights: {
      scopes: ['audit-events:read'],
      capabilities: ['ORG_ADMIN', 'das:ui-auditor'],
      resource: 'SOD_POLICY',
    },
    list: true,
    response: jsonResponse(auditEvents),
    errors: [404],
  }),
} as const;
