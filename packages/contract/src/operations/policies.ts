import { type OperationRights, parseSodPolicyPatch, RIGHTS_TO_READ } from '@access-admin/domain';
import { SMALL_BODY_BYTES_MAX } from '../limits.ts';
import { auditEvents } from '../schemas/audit.ts';
import {
  policyFindings,
  SOD_POLICY_FILTERS,
  SOD_POLICY_SORTERS,
  sodPolicies,
  sodPolicy,
  sodPolicyFields,
} from '../schemas/policies.ts';
import { defineOperation, jsonBody, jsonResponse, NO_CONTENT, patchBody } from './define-operation.ts';

const group = 'SOD Policies';

const MANAGE: OperationRights = {
  scopes: ['sod-policies:manage'],
  capabilities: ['ORG_ADMIN', 'POLICY_ADMIN'],
  resource: 'SOD_POLICY',
};

const NEW_POLICY = {
  id: 'sod-example',
  name: 'Order, receive and pay',
  level: 'HIGH',
  conflictingAccessCriteria: {
    criteria: [
      { name: 'maintain vendors', criteriaList: [{ type: 'ENTITLEMENT', id: 'erp-vendor-create' }] },
      { name: 'change bank details', criteriaList: [{ type: 'ENTITLEMENT', id: 'erp-vendor-bank-change' }] },
      {
        name: 'release payments',
        criteriaList: [
          { type: 'ENTITLEMENT', id: 'erp-payment-release' },
          { type: 'ENTITLEMENT', id: 'bank-payment-approve' },
        ],
      },
    ],
    atLeast: 2,
  },
  tags: ['finance'],
};

const POLICY = {
  id: 'sod-example',
  name: 'Order, receive and pay',
  description: null,
  state: 'ENFORCED',
  level: 'HIGH',
  type: 'CONFLICTING_ACCESS_BASED',
  conflictingAccessCriteria: {
    criteria: [
      {
        name: 'maintain vendors',
        criteriaList: [{ type: 'ENTITLEMENT', id: 'erp-vendor-create', name: 'Vendor: create' }],
      },
      {
        name: 'change bank details',
        criteriaList: [{ type: 'ENTITLEMENT', id: 'erp-vendor-bank-change', name: 'Vendor: change bank details' }],
      },
      {
        name: 'release payments',
        criteriaList: [
          { type: 'ENTITLEMENT', id: 'erp-payment-release', name: 'AP: release payment run' },
          { type: 'ENTITLEMENT', id: 'bank-payment-approve', name: 'Payment: approve' },
        ],
      },
    ],
    atLeast: 2,
  },
  externalPolicyReference: null,
  compensatingControls: null,
  correctionAdvice: null,
  tags: ['finance'],
  attributes: {},
  externalId: null,
  scheduled: false,
  policyQuery: null,
  creatorId: 'root',
  modifierId: 'root',
  created: '2026-11-22T17:02:59.111Z',
  modified: '2026-11-22T17:02:59.111Z',
};

const CRITICAL_ACCESS = {
  id: 'sod-it-16',
  name: 'Deletion of backups and logs',
  description: 'Data and the traces of an attack could be destroyed for good.',
  state: 'ENFORCED',
  level: 'CRITICAL',
  type: 'CONFLICTING_ACCESS_BASED',
  conflictingAccessCriteria: {
    criteria: [
      {
        name: 'delete backups or logs',
        criteriaList: [
          { type: 'ENTITLEMENT', id: 'backup-delete', name: 'Backups: delete' },
          { type: 'ENTITLEMENT', id: 'siem-log-purge', name: 'Logs: purge' },
        ],
      },
    ],
    atLeast: 1,
  },
  externalPolicyReference: 'ITGC-OP-16',
  compensatingControls: 'Alerts on every deletion go to security operations.',
  correctionAdvice: 'Revoke it. Retention deletes backups and logs; for an emergency, request an exception.',
  tags: ['critical-access', 'resilience', 'source:FISCAM-2009:CP-2'],
  attributes: {},
  externalId: null,
  scheduled: false,
  policyQuery: '@access(id:backup-delete OR id:siem-log-purge)',
  creatorId: 'root',
  modifierId: 'root',
  created: '2026-11-22T17:02:56.455Z',
  modified: '2026-11-22T17:02:56.455Z',
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
    example: {
      query: { filters: 'id in ("sod-exp-01", "sod-it-16")' },
      response: [
        {
          id: 'sod-exp-01',
          name: 'Expense approval and audit',
          description: 'Auditors of expenses would audit their own decisions.',
          state: 'ENFORCED',
          level: 'LOW',
          type: 'CONFLICTING_ACCESS_BASED',
          conflictingAccessCriteria: {
            leftCriteria: {
              name: 'approve claims',
              criteriaList: [
                { type: 'ENTITLEMENT', id: 'exp-claim-approve', name: 'Claim: approve' },
                { type: 'ENTITLEMENT', id: 'exp-policy-edit', name: 'Expense policy: edit' },
              ],
            },
            rightCriteria: {
              name: 'audit claims',
              criteriaList: [{ type: 'ENTITLEMENT', id: 'exp-claim-audit', name: 'Claims: audit' }],
            },
          },
          externalPolicyReference: null,
          compensatingControls: 'A second auditor reviews the claims that the first one has approved.',
          correctionAdvice: 'Take approval from auditors for the time of the audit.',
          tags: ['payroll-and-human-resources', 'source:common-practice'],
          attributes: {},
          externalId: null,
          scheduled: false,
          policyQuery: '@access(id:exp-claim-approve OR id:exp-policy-edit) AND @access(id:exp-claim-audit)',
          creatorId: 'root',
          modifierId: 'root',
          created: '2026-11-22T17:02:56.455Z',
          modified: '2026-11-22T17:02:56.455Z',
        },
        CRITICAL_ACCESS,
      ],
    },
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
    example: { request: NEW_POLICY, response: POLICY },
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
    example: {
      response: [
        {
          code: 'SELF_VIOLATING_ACCESS_PROFILE',
          severity: 'ERROR',
          policyId: 'sod-example',
          ref: { type: 'ACCESS_PROFILE', id: 'ap-vendor-master' },
          related: [],
          text: 'Access profile ap-vendor-master violates policy sod-example by itself: so does every identity that holds it.',
        },
        {
          code: 'SELF_VIOLATING_ROLE',
          severity: 'ERROR',
          policyId: 'sod-example',
          ref: { type: 'ROLE', id: 'r-vendor-master' },
          related: [],
          text: 'Role r-vendor-master violates policy sod-example by itself: so does every identity that holds it.',
        },
        {
          code: 'SUBSUMED_POLICY',
          severity: 'WARNING',
          policyId: 'sod-p2p-01',
          ref: null,
          related: [{ type: 'SOD_POLICY', id: 'sod-example', name: 'Order, receive and pay' }],
          text: 'Every identity that violates policy sod-p2p-01 also violates policy sod-example.',
        },
      ],
    },
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
    example: { path: { id: 'sod-example' }, response: POLICY },
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
    example: {
      path: { id: 'sod-example' },
      request: { ...NEW_POLICY, description: 'Two of these in one hand are enough to pay an invented vendor.' },
      response: {
        ...POLICY,
        description: 'Two of these in one hand are enough to pay an invented vendor.',
        modified: '2026-11-22T17:02:59.184Z',
      },
    },
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
    body: patchBody(parseSodPolicyPatch),
    response: jsonResponse(sodPolicy),
    errors: [404, 409, 412],
    etag: true,
    example: {
      path: { id: 'sod-example' },
      request: [{ op: 'replace', path: '/level', value: 'CRITICAL' }],
      response: {
        ...POLICY,
        description: 'Two of these in one hand are enough to pay an invented vendor.',
        level: 'CRITICAL',
        modified: '2026-11-22T17:02:59.274Z',
      },
    },
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
    example: { path: { id: 'sod-example' } },
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
    example: {
      path: { id: 'sod-example' },
      query: { limit: 1 },
      response: [
        {
          sequence: 249,
          time: '2026-11-22T17:02:59.111Z',
          tenant: 'default',
          actor: { clientId: 'root', identityId: null },
          operation: 'create-sod-policy-v1',
          resource: { type: 'SOD_POLICY', id: 'sod-example' },
          outcome: 'ALLOWED',
          changes: [
            { field: 'id', before: null, after: 'sod-example' },
            { field: 'name', before: null, after: 'Order, receive and pay' },
            { field: 'state', before: null, after: 'ENFORCED' },
            { field: 'level', before: null, after: 'HIGH' },
            { field: 'type', before: null, after: 'CONFLICTING_ACCESS_BASED' },
            {
              field: 'conflictingAccessCriteria',
              before: null,
              after: {
                atLeast: 2,
                criteria: [
                  {
                    criteriaList: [{ id: 'erp-vendor-create', name: 'Vendor: create', type: 'ENTITLEMENT' }],
                    name: 'maintain vendors',
                  },
                  {
                    criteriaList: [
                      { id: 'erp-vendor-bank-change', name: 'Vendor: change bank details', type: 'ENTITLEMENT' },
                    ],
                    name: 'change bank details',
                  },
                  {
                    criteriaList: [
                      { id: 'erp-payment-release', name: 'AP: release payment run', type: 'ENTITLEMENT' },
                      { id: 'bank-payment-approve', name: 'Payment: approve', type: 'ENTITLEMENT' },
                    ],
                    name: 'release payments',
                  },
                ],
              },
            },
            { field: 'tags', before: null, after: ['finance'] },
            { field: 'attributes', before: null, after: {} },
            { field: 'scheduled', before: null, after: false },
            { field: 'creatorId', before: null, after: 'root' },
            { field: 'modifierId', before: null, after: 'root' },
            { field: 'created', before: null, after: '2026-11-22T17:02:59.111Z' },
            { field: 'modified', before: null, after: '2026-11-22T17:02:59.111Z' },
          ],
          trackingId: '87f9dcd5b608c0ea31ec37b5f783e494',
          previousHash: 'ce08533f906bcebb208bd45eeb14afec5fa09f3481065fd59d4c7efb8ed2915e',
          hash: '226cbd92bfd1fc697e518e4526350a6d213ccab5e4fdbedafa6bb5c4f012b1e2',
        },
      ],
    },
  }),
} as const;
