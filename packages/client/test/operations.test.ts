import { OPERATIONS, type OperationId, validate } from '@access-admin/contract';
import { describe, expect, test } from 'vitest';
import type { AccessAdminClient } from '../src/index.ts';
import { ada, employees, finishedCheck, openStage } from './fixtures.ts';
import { empty, json, text } from './scripted-server.ts';

interface Sample {
  readonly call: (admin: AccessAdminClient) => unknown;
  /** The path parameter, as encoded in the address and as passed by the caller. */
  readonly id?: string;
  readonly query?: string;
  /** The request body; undefined without one. */
  readonly sent?: unknown;
  readonly response?: unknown;
  /** What the call resolves with, where that is not the response. */
  readonly resolved?: unknown;
}

const access = { identityId: 'i-1', accessRefs: [{ type: 'ENTITLEMENT', id: 'e-1' }] } as const;
const client = {
  id: 'c-1',
  name: 'CI',
  scopes: ['auth-users:read'],
  identityId: null,
  tenant: 'acme',
  created: '2026-11-21T09:30:00.000Z',
} as const;
const bearerToken = { id: 't-1', source: 'hr', expires: '2027-05-21T09:30:00.000Z' };
const newClient = { name: 'CI', scopes: ['auth-users:read'], identityId: 'i-1', tenant: 'other' } as const;
const replaceType = [{ op: 'replace', path: '/type', value: 'MFA' }] as const;
const branded = { title: 'Example', logo: null, helpText: null };
const metadata = { iFrameWhitelist: 'a.example', usernameLabel: null, usernameEmptyText: null };
const lockout = { maximumAttempts: 5, lockoutDuration: 15, lockoutWindow: 5 };
const session = { maxIdleTime: 15, rememberMe: false, maxSessionTime: 480 };
const network = { range: null, geolocation: ['CH'], whitelisted: false };
const none = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
const imported = {
  counts: {
    entitlement: none,
    accessProfile: none,
    role: none,
    identityProfile: none,
    source: none,
    identity: none,
    account: none,
    sodPolicy: none,
    control: none,
    uiMetadata: none,
    branding: none,
    lockoutConfig: none,
    sessionConfig: none,
    networkConfig: none,
  },
  policySetVersion: 7,
  warnings: [],
};
const prediction = { violationContexts: [], policySetVersion: 7, asOf: '2026-11-21T09:30:00.000Z' };
const summary = { tenant: 'acme', id: 'ip-emp', name: 'Employees', type: 'NON_PTA' };
const entitlement = { kind: 'entitlement', id: 'e-1', name: 'Pay' } as const;
const odd = { given: 'a/b?c', sent: 'a%2Fb%3Fc' };

const cloudEvent = {
  specversion: '1.0',
  id: '5b0c3f0e-0f5f-4f0e-9d0c-1f6f6c1c7a52',
  source: 'https://acme.example',
  type: 'org.access-admin.ui-metadata.changed.v1',
  subject: '/ui-metadata/v1/tenant',
  time: '2026-11-21T09:30:00.000Z',
  datacontenttype: 'application/json',
  dataschema: 'https://acme.example/openapi.json#/components/schemas/Tenantuimetadataitemresponse',
  sequence: '00000000000000000002',
  data: { iFrameWhitelist: null, usernameLabel: 'Name', usernameEmptyText: null },
};

const collect = async (items: AsyncIterable<unknown>) => {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
};

const named = <T extends string>(type: T, id: string, name: string) => ({ type, id, name });
const pay = named('ENTITLEMENT', 'e-1', 'Pay');
const holder = { identity: named('IDENTITY', 'i-1', 'Ada'), via: [pay], start: null, end: null };
const question = {
  subject: { type: 'user', id: 'alice' },
  action: { name: 'read' },
  resource: { type: 'record', id: 'record-1' },
};
const decision = {
  decision: true,
  context: {
    reason: { code: 'OK', text: 'The subject has it.' },
    policySetVersion: 1,
    asOf: '2026-11-21T09:30:00.000Z',
  },
};
const NOTHING_EXTERNAL = { attributes: {}, externalId: null };
const accessProfile = { id: 'ap-1', name: 'Payments', entitlements: [pay], ...NOTHING_EXTERNAL };
const settings = { type: 'MFA', offNetwork: false, untrustedGeography: false };
const identityProfile = {
  id: 'ip-emp',
  name: 'Employees',
  authProfile: { ...settings, applicationId: null, applicationName: null },
};
const { tenant: _, profile: __, ...person } = ada;
const listedIdentity = {
  ...NOTHING_EXTERNAL,
  ...person,
  active: true,
  identityProfile: named('IDENTITY_PROFILE', 'ip-emp', 'Employees'),
  violations: { open: 1, mitigated: 0 },
};
const applied = {
  id: 'a-1',
  violation: 'v-1',
  violationRef: { type: 'VIOLATION', id: 'v-1', name: 'Pay: Ada' },
  control: { type: 'CONTROL', id: 'c-1', name: 'Second signature' },
  applier: named('IDENTITY', 'i-1', 'Ada'),
  appliedDate: '2026-11-21T09:30:00.000Z',
  expiration: null,
  comments: null,
  status: 'Pending',
  exceptionId: 'x',
};
const violation = {
  id: '019ab2e5-0000-7000-8000-000000000000',
  name: 'Pay and approve: Ada',
  status: 'Open',
  level: 'High',
  created: '2026-11-21T09:30:00.000Z',
  modified: '2026-11-21T09:30:00.000Z',
  closed: null,
  lastEvaluatedDate: '2026-11-22T09:30:00.000Z',
  target: named('IDENTITY', 'i-1', 'Ada'),
  policy: named('SOD_POLICY', 'p-1', 'Pay and approve'),
  conflictingCriteria: [{ name: 'left', conflictingItems: [named('ENTITLEMENT', 'e-1', 'Pay')] }],
  exception: null,
  appliedControls: [],
  expiration: null,
};

const newReservation = {
  identityId: 'i-1',
  accessRefs: [{ type: 'ENTITLEMENT', id: 'e-1' }],
  reference: 'REQ-1',
} as const;
const reservation = {
  id: '019ab2e5-0000-7000-8000-000000000001',
  ...newReservation,
  state: 'LIVE',
  created: '2026-11-21T09:30:00.000Z',
  expires: '2026-12-05T09:30:00.000Z',
  ended: null,
  clientMetadata: null,
  clientId: 'c-1',
  requesterId: null,
  prediction: { violationContexts: [], policySetVersion: 1, asOf: '2026-11-21T09:30:00.000Z' },
};
const tenant = { tenant: 'acme', created: '2026-11-22T17:02:57.881Z', state: 'ACTIVE', removal: null } as const;
const rename = [{ op: 'replace', path: '/name', value: 'Renamed' }] as const;
const side = (id: string) => ({ name: null, criteriaList: [{ type: 'ENTITLEMENT', id, name: null }] }) as const;
const criticalPolicy = {
  name: 'Any of these',
  conflictingAccessCriteria: { criteria: [{ criteriaList: side('e-1').criteriaList }] },
} as const;
const newPolicy = {
  id: 'p-1',
  name: 'Three of these',
  conflictingAccessCriteria: { criteria: [side('e-1'), side('e-2'), side('e-3')], atLeast: 3 },
} as const;
const policy = {
  ...newPolicy,
  description: null,
  state: 'ENFORCED',
  level: 'HIGH',
  type: 'CONFLICTING_ACCESS_BASED',
  externalPolicyReference: null,
  compensatingControls: null,
  correctionAdvice: null,
  tags: [],
  attributes: {},
  externalId: null,
  scheduled: false,
  policyQuery: '@access(id:a) AND @access(id:b)',
  creatorId: null,
  modifierId: null,
  created: '2026-11-21T09:30:00.000Z',
  modified: '2026-11-21T09:30:00.000Z',
} as const;

const finding = {
  code: 'SUBSUMED_POLICY',
  severity: 'WARNING',
  policyId: 'p-1',
  ref: null,
  related: [{ type: 'SOD_POLICY', id: 'p-2', name: 'Two of these' }],
  text: 'Every identity that violates policy p-1 also violates policy p-2.',
} as const;

const report = {
  reportId: 'r-1',
  kind: 'SCAN',
  state: 'SUCCESS',
  progress: 1,
  created: '2026-11-21T09:30:00.000Z',
  requestedBy: { clientId: 'c-1', identityId: 'i-1', displayName: 'Ada L.' },
  question: {},
  completed: '2026-11-21T09:31:00.000Z',
  policySetVersion: 7,
  asOf: '2026-11-21T09:30:01.000Z',
  summary: {
    identities: 3,
    new: 0,
    same: 1,
    gone: 0,
    excepted: 1,
    byPolicy: [{ policyId: 'p-1', name: 'Three of these', level: 'HIGH', new: 0, same: 1, gone: 0, excepted: 1 }],
  },
} as const;
const listedReport = {
  ...report,
  at: '2027-01-01T00:00:00.000Z',
  summary: { identities: 3, new: 0, same: 1, gone: 0, excepted: 1 },
};
const started = { reportId: 'r-1', created: '2026-11-21T09:30:00.000Z' };
const gain = { kind: 'role', id: 'r-1', add: [{ type: 'ENTITLEMENT', id: 'e-1' }] } as const;
const violated = {
  identityId: 'i-1',
  displayName: 'Ada',
  policyId: 'p-1',
  policyName: 'One',
  level: 'HIGH',
  conflictingAccessCriteria: { leftCriteria: { criteriaList: [] }, rightCriteria: { criteriaList: [] } },
} as const;
const fixStep = {
  step: 1,
  identityId: 'i-1',
  displayName: 'Ada',
  revoke: { type: 'ROLE', id: 'r-1', name: 'Buyer', sources: ['hr'] },
  ends: [{ policyId: 'p-1', policyName: 'One', level: 'HIGH' }],
  alsoLoses: [{ type: 'ENTITLEMENT', id: 'e-1', name: 'Order' }],
} as const;
const reported = {
  change: 'same',
  identityId: 'i-1',
  displayName: 'Ada',
  policyId: 'p-1',
  policyName: 'Three of these',
  level: 'HIGH',
  conflictingAccessCriteria: { criteria: [], atLeast: 3 },
  exception: { id: 'x-1', end: '2026-12-21T00:00:00.000Z' },
};
const newException = {
  policyId: 'p-1',
  identityId: 'i-1',
  start: '2026-11-21T00:00:00.000Z',
  end: '2026-12-21T00:00:00.000Z',
  justification: 'Year end',
} as const;
const exception = {
  id: 'x-1',
  ...newException,
  state: 'APPROVED',
  requesterId: 'i-2',
  created: '2026-11-21T09:30:00.000Z',
  approverId: 'i-3',
  approved: '2026-11-21T09:31:00.000Z',
  revokerId: null,
  revoked: null,
  voided: null,
  terms: {
    policyName: 'Pay',
    level: 'HIGH',
    conflictingAccessCriteria: {
      leftCriteria: { criteriaList: [{ type: 'ENTITLEMENT', id: 'e-1', name: 'Pay', existing: true }] },
      rightCriteria: { criteriaList: [] },
    },
    digest: '0'.repeat(64),
  },
  decisions: [
    {
      action: 'APPROVED',
      by: { identityId: 'i-3', displayName: 'Cy' },
      at: '2026-11-21T09:31:00.000Z',
      comment: 'Seen.',
    },
  ],
} as const;

const newControl = {
  name: 'Second signature',
  expiration: '20d',
  owner: { type: 'IDENTITY', id: 'i-1' },
  justificationRequired: true,
} as const;
const control = {
  id: 'c-1',
  ...newControl,
  owner: { ...newControl.owner, name: 'Ada' },
  description: null,
  type: 'Mitigation',
  secondaryOwners: [],
  created: '2026-11-21T09:30:00.000Z',
  modified: '2026-11-21T09:30:00.000Z',
};

const newSource = { id: 'erp', name: 'ERP' };
const source = {
  ...newSource,
  description: null,
  authoritative: false,
  identityProfileId: null,
  correlation: [{ account: 'name', identity: 'uid' }],
  ignoreDisabled: true,
  deleteThresholdPercent: 10,
  groups: 'ENTITLEMENT',
  created: '2026-11-21T09:30:00.000Z',
  modified: '2026-11-21T09:30:00.000Z',
  lastLoad: null,
};
const account = {
  key: '3f6c1d0e-6a8e-5b0c-9f6e-0d5a4a1b2c3d',
  source: 'erp',
  id: '4711',
  name: 'ada',
  displayName: null,
  email: null,
  disabled: false,
  attributes: {},
  access: [{ type: 'ENTITLEMENT', id: 'e-1', start: null, end: null }],
  identityId: 'i-1',
  correlation: 'MANUAL',
  candidates: [],
};

const load = {
  loadId: 'l-1',
  source: 'erp',
  mode: 'FULL' as const,
  dryRun: false,
  state: 'OPEN',
  reason: null,
  deletes: null,
  message: null,
  created: '2026-11-21T09:30:00.000Z',
  committed: null,
  completed: null,
  expires: '2026-11-22T09:30:00.000Z',
  summary: null,
};

const newWebhook = { name: 'SIEM', url: 'https://siem.example.com/', types: ['*'] };
const webhook = {
  ...newWebhook,
  id: 'w-1',
  format: 'cloudevents',
  enabled: true,
  created: '2026-11-21T09:30:00.000Z',
  modified: '2026-11-21T09:30:00.000Z',
};
const delivery = {
  id: 'd-1',
  eventId: 'e-1',
  type: 'sod.check.completed',
  sequence: '00000000000000000007',
  state: 'PENDING',
  created: '2026-11-21T09:30:00.000Z',
  attempts: [],
  next: null,
} as const;

const hash = 'ab'.repeat(32);
const auditEvent = {
  sequence: 1,
  time: '2026-11-21T09:30:00.000Z',
  tenant: 'acme',
  actor: { clientId: 'c-1', identityId: null },
  operation: 'patch-auth-user-v1',
  resource: { type: 'AUTH_USER', id: 'i-1' },
  outcome: 'ALLOWED',
  changes: [{ field: 'capabilities', before: [], after: ['HELPDESK'] }],
  trackingId: 'cd'.repeat(16),
  previousHash: null,
  hash,
} as const;

const SAMPLES: Readonly<Record<OperationId, Sample>> = {
  'get-auth-user-v1': { call: ({ authUsers }) => authUsers.get(odd.given), id: odd.sent, response: ada },
  'patch-auth-user-v1': {
    call: ({ authUsers }) => authUsers.setCapabilities('i-1', ['ORG_ADMIN']),
    id: 'i-1',
    sent: [{ op: 'replace', path: '/capabilities', value: ['ORG_ADMIN'] }],
    response: ada,
  },
  'get-profile-config-list-v1': {
    call: ({ authProfiles }) => collect(authProfiles.list()),
    query: '?offset=0',
    response: [summary],
  },
  'get-profile-config-v1': {
    call: ({ authProfiles }) => authProfiles.get(odd.given),
    id: odd.sent,
    response: employees,
  },
  'patch-profile-config-v1': {
    call: ({ authProfiles }) => authProfiles.patch('ip-emp', replaceType),
    id: 'ip-emp',
    sent: replaceType,
    response: employees,
  },
  'start-predict-sod-violations-v1': {
    call: ({ sodViolations }) => sodViolations.predict(access),
    sent: access,
    response: prediction,
  },
  'start-predict-sod-violations-batch-v1': {
    call: ({ sodViolations }) => collect(sodViolations.predictBatch([access])),
    sent: access,
    response: { index: 0, status: 200, body: prediction },
  },
  'evaluate-access-v1': {
    call: ({ authzen }) => authzen.evaluate(question),
    sent: question,
    response: decision,
  },
  'evaluate-accesses-v1': {
    call: ({ authzen }) => authzen.evaluateMany({ ...question, evaluations: [{}, {}] }),
    sent: { ...question, evaluations: [{}, {}] },
    response: { evaluations: [decision, decision] },
  },
  'search-access-subjects-v1': {
    call: ({ authzen }) => collect(authzen.searchSubjects({ ...question, subject: { type: 'user' } }, { limit: 5 })),
    sent: { ...question, subject: { type: 'user' }, page: { limit: 5 } },
    response: { page: { next_token: '', count: 1 }, results: [{ type: 'user', id: 'alice' }] },
    resolved: [{ type: 'user', id: 'alice' }],
  },
  'search-access-resources-v1': {
    call: ({ authzen }) => collect(authzen.searchResources({ ...question, resource: { type: 'record' } })),
    sent: { ...question, resource: { type: 'record' }, page: {} },
    response: { page: { next_token: '', count: 1 }, results: [{ type: 'record', id: 'record-1' }] },
    resolved: [{ type: 'record', id: 'record-1' }],
  },
  'search-access-actions-v1': {
    call: ({ authzen }) => collect(authzen.searchActions({ subject: question.subject, resource: question.resource })),
    sent: { subject: question.subject, resource: question.resource, page: {} },
    response: { page: { next_token: '', count: 1 }, results: [{ name: 'read' }] },
    resolved: [{ name: 'read' }],
  },
  'start-violation-check-v1': {
    call: ({ sodViolations }) => sodViolations.check({ ...access, clientMetadata: { ticket: '7' } }),
    sent: { ...access, clientMetadata: { ticket: '7' } },
    response: { requestId: 'r-1', created: '2026-11-21T09:30:00.000Z' },
  },
  'list-violation-checks-v1': {
    call: ({ sodViolations }) => collect(sodViolations.listChecks({ filters: 'state eq "PENDING"' })),
    query: '?filters=state%20eq%20%22PENDING%22',
    response: [
      { requestId: 'r-1', created: '2026-11-21T09:30:00.000Z', identityId: 'i-1', state: 'PENDING', completed: null },
    ],
  },
  'get-violation-check-v1': {
    call: ({ sodViolations }) => sodViolations.getCheck(odd.given),
    id: odd.sent,
    response: finishedCheck,
  },
  'start-sod-dry-run-v1': {
    call: ({ sodReports }) => sodReports.dryRun({ add: [newPolicy, criticalPolicy], remove: ['p-2'] }),
    sent: { add: [newPolicy, criticalPolicy], remove: ['p-2'] },
    response: started,
  },
  'get-violation-check-receipt-v1': {
    call: ({ sodViolations }) => sodViolations.receipt(odd.given),
    id: odd.sent,
    response: 'a.b.c',
  },
  'start-sod-scan-v1': {
    call: ({ sodReports }) => sodReports.scan({ at: '2027-01-01T00:00:00Z' }),
    sent: { at: '2027-01-01T00:00:00Z' },
    response: started,
  },
  'start-sod-blast-radius-v1': {
    call: ({ sodReports }) => sodReports.blastRadius(gain),
    sent: gain,
    response: started,
  },
  'start-sod-fix-plan-v1': {
    call: ({ sodReports }) => sodReports.fixPlan({ levels: ['CRITICAL'], keepHolders: 2 }),
    sent: { levels: ['CRITICAL'], keepHolders: 2 },
    response: started,
  },
  'list-sod-fix-steps-v1': {
    call: ({ sodReports }) => collect(sodReports.steps(odd.given)),
    id: odd.sent,
    response: fixStep,
  },
  'list-sod-unsolvable-violations-v1': {
    call: ({ sodReports }) => collect(sodReports.unsolvable(odd.given)),
    id: odd.sent,
    response: { ...violated, reason: 'LAST_HOLDER' },
  },
  'hand-over-sod-fix-step-v1': {
    call: ({ sodReports }) => sodReports.handOver('1', 1, { comment: 'Soon' }),
    id: '1',
    sent: { comment: 'Soon' },
    response: { reportId: '1', comment: 'Soon', ...fixStep },
  },
  'list-sod-reports-v1': {
    call: ({ sodReports }) => collect(sodReports.list({ filters: 'kind eq "SCAN"' })),
    query: '?filters=kind%20eq%20%22SCAN%22&offset=0',
    response: [listedReport],
  },
  'get-sod-report-v1': { call: ({ sodReports }) => sodReports.get(odd.given), id: odd.sent, response: report },
  'list-sod-report-violations-v1': {
    call: ({ sodReports }) =>
      collect(sodReports.violations(odd.given, { change: 'same', policyId: 'p:1', filters: 'level eq "LOW"' })),
    id: odd.sent,
    query: '?change=same&policyId=p%3A1&filters=level%20eq%20%22LOW%22&offset=0',
    response: reported,
  },
  'list-sod-policies-v1': {
    call: ({ sodPolicies }) => collect(sodPolicies.list({ filters: 'level eq "HIGH"', sorters: '-name' })),
    query: '?filters=level%20eq%20%22HIGH%22&sorters=-name&offset=0',
    response: [policy],
  },
  'create-sod-policy-v1': {
    call: ({ sodPolicies }) => sodPolicies.create(newPolicy),
    sent: newPolicy,
    response: policy,
  },
  'lint-sod-policies-v1': { call: ({ sodPolicies }) => sodPolicies.lint(), response: [finding] },
  'get-sod-policy-v1': { call: ({ sodPolicies }) => sodPolicies.get(odd.given), id: odd.sent, response: policy },
  'put-sod-policy-v1': {
    call: ({ sodPolicies }) => sodPolicies.replace('p-1', newPolicy),
    id: 'p-1',
    sent: newPolicy,
    response: policy,
  },
  'patch-sod-policy-v1': {
    call: ({ sodPolicies }) => sodPolicies.patch('p-1', rename),
    id: 'p-1',
    sent: rename,
    response: policy,
  },
  'delete-sod-policy-v1': { call: ({ sodPolicies }) => sodPolicies.delete(odd.given), id: odd.sent },
  'get-sod-policy-history-v1': {
    call: ({ sodPolicies }) => collect(sodPolicies.history(odd.given)),
    id: odd.sent,
    query: '?offset=0',
    response: [auditEvent],
  },
  'list-violations-v1': {
    call: ({ violations }) => collect(violations.list({ filters: 'status eq "Open"', sorters: '-level' })),
    query: '?filters=status%20eq%20%22Open%22&sorters=-level',
    response: [violation],
  },
  'list-my-violations-v1': { call: ({ violations }) => collect(violations.listMine()), response: [violation] },
  'export-violations-v1': {
    call: ({ violations }) => collect(violations.export({ filters: 'level eq "High"' })),
    query: '?filters=level%20eq%20%22High%22',
    response: violation,
  },
  'get-violations-summary-v1': {
    call: ({ violations }) => violations.summary({ days: 1 }),
    query: '?days=1',
    response: {
      asOf: violation.lastEvaluatedDate,
      policySetVersion: 1,
      identities: 1,
      open: 0,
      mitigated: 0,
      byLevel: [],
      byPolicy: [],
      trend: [],
    },
  },
  'reassign-violation-v1': {
    call: ({ violations }) => violations.reassign('v-1', 'i-1', { comments: 'Hers' }),
    id: 'v-1',
    sent: { reassignTo: { type: 'IDENTITY', id: 'i-1' }, comments: 'Hers' },
    response: violation,
  },
  'apply-control-v1': {
    call: ({ violations }) => violations.applyControl('v-1', 'c-1'),
    id: 'v-1',
    sent: { control: { type: 'CONTROL', id: 'c-1' } },
    response: applied,
  },
  'get-violation-v1': { call: ({ violations }) => violations.get(odd.given), id: odd.sent, response: violation },
  'list-controls-v1': {
    call: ({ controls }) => collect(controls.list({ filters: 'name sw "Second"' })),
    query: '?filters=name%20sw%20%22Second%22&offset=0',
    response: [control],
  },
  'create-control-v1': {
    call: ({ controls }) => controls.create(newControl),
    sent: newControl,
    response: control,
  },
  'get-control-v1': { call: ({ controls }) => controls.get(odd.given), id: odd.sent, response: control },
  'put-control-v1': {
    call: ({ controls }) => controls.replace(odd.given, newControl),
    id: odd.sent,
    sent: newControl,
    response: control,
  },
  'patch-control-v1': {
    call: ({ controls }) => controls.patch('c-1', rename),
    id: 'c-1',
    sent: rename,
    response: control,
  },
  'delete-control-v1': { call: ({ controls }) => controls.delete(odd.given), id: odd.sent },
  'list-sources-v1': {
    call: ({ sources }) => collect(sources.list({ filters: 'name sw "ERP"' })),
    query: '?filters=name%20sw%20%22ERP%22&offset=0',
    response: [source],
  },
  'create-source-v1': { call: ({ sources }) => sources.create(newSource), sent: newSource, response: source },
  'get-source-v1': { call: ({ sources }) => sources.get(odd.given), id: odd.sent, response: source },
  'put-source-v1': {
    call: ({ sources }) => sources.replace(odd.given, newSource),
    id: odd.sent,
    sent: newSource,
    response: source,
  },
  'patch-source-v1': { call: ({ sources }) => sources.patch('erp', rename), id: 'erp', sent: rename, response: source },
  'create-source-load-v1': {
    call: ({ sourceLoads }) => sourceLoads.create(odd.given, { mode: 'FULL' }),
    id: odd.sent,
    sent: { mode: 'FULL' },
    response: load,
  },
  'put-source-load-part-v1': {
    call: ({ sourceLoads }) => sourceLoads.putPart('3', '3', 3, [{ kind: 'account', id: 'a' }]),
    id: '3',
    sent: { kind: 'account', id: 'a' },
  },
  'commit-source-load-v1': {
    call: ({ sourceLoads }) => sourceLoads.commit(odd.given, odd.given, { confirmDeletes: 12 }),
    id: odd.sent,
    sent: { confirmDeletes: 12 },
    response: load,
  },
  'list-source-loads-v1': {
    call: ({ sourceLoads }) => collect(sourceLoads.list(odd.given)),
    id: odd.sent,
    query: '?offset=0',
    response: [load],
  },
  'get-source-load-v1': {
    call: ({ sourceLoads }) => sourceLoads.get(odd.given, odd.given),
    id: odd.sent,
    response: load,
  },
  'cancel-source-load-v1': {
    call: ({ sourceLoads }) => sourceLoads.cancel(odd.given, odd.given),
    id: odd.sent,
  },
  'delete-source-v1': { call: ({ sources }) => sources.delete(odd.given), id: odd.sent },
  'list-accounts-v1': {
    call: ({ accounts }) => collect(accounts.list({ filters: 'identityId eq null' })),
    query: '?filters=identityId%20eq%20null&offset=0',
    response: [account],
  },
  'get-account-v1': { call: ({ accounts }) => accounts.get(odd.given), id: odd.sent, response: account },
  'put-account-identity-v1': {
    call: ({ accounts }) => accounts.link(odd.given, 'i-1'),
    id: odd.sent,
    sent: { identityId: 'i-1' },
    response: account,
  },
  'list-sod-exceptions-v1': {
    call: ({ sodExceptions }) => collect(sodExceptions.list({ filters: 'state eq "VOID"' })),
    query: '?filters=state%20eq%20%22VOID%22&offset=0',
    response: [exception],
  },
  'create-sod-exception-v1': {
    call: ({ sodExceptions }) => sodExceptions.create(newException),
    sent: newException,
    response: exception,
  },
  'get-sod-exception-v1': {
    call: ({ sodExceptions }) => sodExceptions.get(odd.given),
    id: odd.sent,
    response: exception,
  },
  'approve-sod-exception-v1': {
    call: ({ sodExceptions }) => sodExceptions.approve(odd.given, { comment: 'Seen.' }),
    id: odd.sent,
    sent: { comment: 'Seen.' },
    response: exception,
  },
  'revoke-sod-exception-v1': {
    call: ({ sodExceptions }) => sodExceptions.revoke(odd.given),
    id: odd.sent,
    sent: {},
    response: exception,
  },
  'list-sod-reservations-v1': {
    call: ({ sodReservations }) => collect(sodReservations.list({ filters: 'state eq "LIVE"', sorters: '-created' })),
    query: '?filters=state%20eq%20%22LIVE%22&sorters=-created',
    response: [reservation],
  },
  'create-sod-reservation-v1': {
    call: ({ sodReservations }) => sodReservations.create(newReservation),
    sent: newReservation,
    response: reservation,
  },
  'get-sod-reservation-v1': {
    call: ({ sodReservations }) => sodReservations.get(odd.given),
    id: odd.sent,
    response: reservation,
  },
  'settle-sod-reservation-v1': {
    call: ({ sodReservations }) => sodReservations.settle(odd.given),
    id: odd.sent,
    response: reservation,
  },
  'delete-sod-reservation-v1': { call: ({ sodReservations }) => sodReservations.release(odd.given), id: odd.sent },
  'get-auth-org-lockout-config-v1': { call: ({ authOrg }) => authOrg.lockout.get(), response: lockout },
  'patch-auth-org-lockout-config-v1': {
    call: ({ authOrg }) => authOrg.lockout.patch([{ op: 'replace', path: '/maximumAttempts', value: 7 }]),
    sent: [{ op: 'replace', path: '/maximumAttempts', value: 7 }],
    response: lockout,
  },
  'get-auth-org-session-config-v1': { call: ({ authOrg }) => authOrg.session.get(), response: session },
  'patch-auth-org-session-config-v1': {
    call: ({ authOrg }) => authOrg.session.patch([{ op: 'replace', path: '/maxIdleTime', value: 20 }]),
    sent: [{ op: 'replace', path: '/maxIdleTime', value: 20 }],
    response: session,
  },
  'get-auth-org-network-config-v1': { call: ({ authOrg }) => authOrg.network.get(), response: network },
  'set-auth-org-network-config-v1': {
    call: ({ authOrg }) => authOrg.network.set({ geolocation: ['CH'] }),
    sent: { geolocation: ['CH'] },
    response: network,
  },
  'patch-auth-org-network-config-v1': {
    call: ({ authOrg }) => authOrg.network.patch([{ op: 'replace', path: '/whitelisted', value: true }]),
    sent: [{ op: 'replace', path: '/whitelisted', value: true }],
    response: network,
  },
  'create-sign-in-link-v1': {
    call: ({ authUsers }) => authUsers.createSignInLink(odd.given, { hours: 8 }),
    id: odd.sent,
    sent: { hours: 8 },
    response: { url: 'https://access.example/sign-in-link/x', expires: '2026-11-22T00:00:00.000Z' },
  },
  'get-credentials-v1': {
    call: ({ authUsers }) => authUsers.credentials(odd.given),
    id: odd.sent,
    response: {
      password: { changed: '2026-11-22T00:00:00.000Z' },
      totp: true,
      recoveryCodesLeft: 9,
      passkeys: [{ id: 'pk', name: 'Laptop', created: '2026-11-22T00:00:00.000Z', lastUsed: null }],
      failedAttempts: 1,
      lockedUntil: null,
    },
  },
  'remove-credential-v1': {
    call: ({ authUsers }) => authUsers.removeCredential(odd.given, odd.given),
    id: odd.sent,
  },
  'unlock-auth-user-v1': { call: ({ authUsers }) => authUsers.unlock(odd.given), id: odd.sent },
  'remove-credentials-v1': { call: ({ authUsers }) => authUsers.removeCredentials(odd.given), id: odd.sent },
  'list-sessions-v1': {
    call: ({ sessions }) => collect(sessions.list({ filters: 'identityId eq "i-1"' })),
    query: '?filters=identityId%20eq%20%22i-1%22&offset=0',
    response: [
      {
        id: 's-1',
        identityId: 'i-1',
        factors: ['PASSWORD', 'TOTP'],
        framed: false,
        address: null,
        authTime: '2026-11-22T00:00:00.000Z',
        lastActive: '2026-11-22T00:00:00.000Z',
        expires: '2026-11-22T08:00:00.000Z',
        idleExpires: '2026-11-22T00:15:00.000Z',
      },
    ],
  },
  'end-session-v1': { call: ({ sessions }) => sessions.end(odd.given), id: odd.sent },
  'decide-sign-in-v1': {
    call: ({ signIn }) => signIn.decide({ username: 'ada', ip: '::1' }),
    sent: { username: 'ada', ip: '::1' },
    response: { decision: 'BLOCK', reasons: ['PROFILE_BLOCKED'], authProfile: null, verifiedBy: null },
  },
  'get-tenant-ui-metadata-v1': { call: ({ uiMetadata }) => uiMetadata.get(), response: metadata },
  'set-tenant-ui-metadata-v1': {
    call: ({ uiMetadata }) => uiMetadata.set({ usernameLabel: null }),
    sent: { usernameLabel: null },
    response: metadata,
  },
  'get-tenant-branding-v1': { call: ({ branding }) => branding.get(), response: branded },
  'set-tenant-branding-v1': {
    call: ({ branding }) => branding.set({ title: null }),
    sent: { title: null },
    response: branded,
  },
  'create-oauth-client-v1': {
    call: ({ oauthClients }) => oauthClients.create(newClient),
    sent: newClient,
    response: { ...client, secret: 'shown once' },
  },
  'list-oauth-clients-v1': {
    call: ({ oauthClients }) => collect(oauthClients.list()),
    query: '?offset=0',
    response: [client],
  },
  'get-oauth-client-v1': { call: ({ oauthClients }) => oauthClients.get(odd.given), id: odd.sent, response: client },
  'patch-oauth-client-v1': {
    call: ({ oauthClients }) => oauthClients.patch('c-1', rename),
    id: 'c-1',
    sent: rename,
    response: client,
  },
  'delete-oauth-client-v1': { call: ({ oauthClients }) => oauthClients.delete(odd.given), id: odd.sent },
  'rotate-oauth-client-secret-v1': {
    call: ({ oauthClients }) => oauthClients.rotateSecret(odd.given, { overlapHours: 0 }),
    id: odd.sent,
    sent: { overlapHours: 0 },
    response: { ...client, secret: 'shown once' },
  },
  'create-bearer-token-v1': {
    call: ({ oauthClients }) => oauthClients.createBearerToken(odd.given, { source: 'hr' }),
    id: odd.sent,
    sent: { source: 'hr' },
    response: { ...bearerToken, token: 'shown once' },
  },
  'list-bearer-tokens-v1': {
    call: ({ oauthClients }) => collect(oauthClients.bearerTokens(odd.given)),
    id: odd.sent,
    query: '?offset=0',
    response: [bearerToken],
  },
  'delete-bearer-token-v1': {
    call: ({ oauthClients }) => oauthClients.deleteBearerToken(odd.given, odd.given),
    id: odd.sent,
  },
  'list-tenants-v1': { call: ({ tenants }) => collect(tenants.list()), query: '?offset=0', response: [tenant] },
  'get-tenant-v1': { call: ({ tenants }) => tenants.get('acme'), id: 'acme', response: tenant },
  'delete-tenant-v1': {
    call: ({ tenants }) => tenants.delete('acme', { confirm: 'acme' }),
    id: 'acme',
    response: { ...tenant, state: 'REMOVING', removal: { requested: tenant.created, removedRows: 0 } },
  },
  'import-access-model-v1': {
    call: ({ accessModel }) => accessModel.import([entitlement]),
    sent: entitlement,
    response: imported,
  },
  'list-identities-v1': {
    call: ({ identities }) => collect(identities.list({ filters: 'uid co "ada"', sorters: '-displayName' })),
    query: '?filters=uid%20co%20%22ada%22&sorters=-displayName',
    response: [listedIdentity],
  },
  'get-identity-v1': {
    call: ({ identities }) => identities.get(odd.given),
    id: odd.sent,
    response: { ...listedIdentity, assignments: [{ ...pay, start: null, end: null }] },
  },
  'list-entitlements-v1': {
    call: ({ entitlements }) => entitlements.page({ limit: 5, cursor: 'abc' }).then(({ items }) => items),
    query: '?limit=5&cursor=abc',
    response: [{ id: 'e-1', name: 'Pay', source: null, grants: [], ...NOTHING_EXTERNAL }],
  },
  'get-entitlement-v1': {
    call: ({ entitlements }) => entitlements.get(odd.given),
    id: odd.sent,
    response: { id: 'e-1', name: 'Pay', source: null, grants: [], ...NOTHING_EXTERNAL },
  },
  'list-entitlement-holders-v1': {
    call: ({ entitlements }) => collect(entitlements.holders(odd.given)),
    id: odd.sent,
    response: [holder],
  },
  'list-access-profiles-v1': {
    call: ({ accessProfiles }) => collect(accessProfiles.list()),
    response: [accessProfile],
  },
  'get-access-profile-v1': {
    call: ({ accessProfiles }) => accessProfiles.get(odd.given),
    id: odd.sent,
    response: accessProfile,
  },
  'list-access-profile-holders-v1': {
    call: ({ accessProfiles }) => collect(accessProfiles.holders(odd.given)),
    id: odd.sent,
    response: [holder],
  },
  'list-roles-v1': {
    call: ({ roles }) => collect(roles.list()),
    response: [{ ...accessProfile, accessProfiles: [] }],
  },
  'get-role-v1': {
    call: ({ roles }) => roles.get(odd.given),
    id: odd.sent,
    response: { ...accessProfile, accessProfiles: [] },
  },
  'list-role-holders-v1': {
    call: ({ roles }) => roles.holdersPage(odd.given, { count: true }).then(({ items }) => items),
    id: odd.sent,
    query: '?count=true',
    response: [holder],
  },
  'list-identity-profiles-v1': {
    call: ({ identityProfiles }) => collect(identityProfiles.list()),
    response: [identityProfile],
  },
  'get-identity-profile-v1': {
    call: ({ identityProfiles }) => identityProfiles.get(odd.given),
    id: odd.sent,
    response: identityProfile,
  },
  'create-identity-v1': {
    call: ({ identities }) => identities.create({ id: 'x', uid: 'one', identityProfile: 'ip-emp' }),
    sent: { id: 'x', uid: 'one', identityProfile: 'ip-emp' },
    response: { ...listedIdentity, assignments: [] },
  },
  'put-identity-v1': {
    call: ({ identities }) => identities.replace(odd.given, { uid: 'one', identityProfile: 'ip-emp' }),
    id: odd.sent,
    sent: { uid: 'one', identityProfile: 'ip-emp' },
    response: { ...listedIdentity, assignments: [] },
  },
  'patch-identity-v1': {
    call: ({ identities }) => identities.patch('x', [{ op: 'replace', path: '/alias', value: 'Renamed' }]),
    id: 'x',
    sent: [{ op: 'replace', path: '/alias', value: 'Renamed' }],
    response: { ...listedIdentity, assignments: [] },
  },
  'delete-identity-v1': { call: ({ identities }) => identities.delete(odd.given), id: odd.sent },
  'create-entitlement-v1': {
    call: ({ entitlements }) => entitlements.create({ id: 'x', name: 'One' }),
    sent: { id: 'x', name: 'One' },
    response: { id: 'e-1', name: 'Pay', source: null, grants: [], ...NOTHING_EXTERNAL },
  },
  'put-entitlement-v1': {
    call: ({ entitlements }) => entitlements.replace(odd.given, { name: 'One' }),
    id: odd.sent,
    sent: { name: 'One' },
    response: { id: 'e-1', name: 'Pay', source: null, grants: [], ...NOTHING_EXTERNAL },
  },
  'patch-entitlement-v1': {
    call: ({ entitlements }) => entitlements.patch('x', rename),
    id: 'x',
    sent: rename,
    response: { id: 'e-1', name: 'Pay', source: null, grants: [], ...NOTHING_EXTERNAL },
  },
  'delete-entitlement-v1': { call: ({ entitlements }) => entitlements.delete(odd.given), id: odd.sent },
  'create-access-profile-v1': {
    call: ({ accessProfiles }) => accessProfiles.create({ id: 'x', name: 'One', entitlements: [] }),
    sent: { id: 'x', name: 'One', entitlements: [] },
    response: accessProfile,
  },
  'put-access-profile-v1': {
    call: ({ accessProfiles }) => accessProfiles.replace(odd.given, { name: 'One', entitlements: [] }),
    id: odd.sent,
    sent: { name: 'One', entitlements: [] },
    response: accessProfile,
  },
  'patch-access-profile-v1': {
    call: ({ accessProfiles }) => accessProfiles.patch('x', rename),
    id: 'x',
    sent: rename,
    response: accessProfile,
  },
  'delete-access-profile-v1': { call: ({ accessProfiles }) => accessProfiles.delete(odd.given), id: odd.sent },
  'create-role-v1': {
    call: ({ roles }) => roles.create({ id: 'x', name: 'One' }),
    sent: { id: 'x', name: 'One' },
    response: { ...accessProfile, accessProfiles: [] },
  },
  'put-role-v1': {
    call: ({ roles }) => roles.replace(odd.given, { name: 'One' }),
    id: odd.sent,
    sent: { name: 'One' },
    response: { ...accessProfile, accessProfiles: [] },
  },
  'patch-role-v1': {
    call: ({ roles }) => roles.patch('x', rename),
    id: 'x',
    sent: rename,
    response: { ...accessProfile, accessProfiles: [] },
  },
  'delete-role-v1': { call: ({ roles }) => roles.delete(odd.given), id: odd.sent },
  'create-identity-profile-v1': {
    call: ({ identityProfiles }) => identityProfiles.create({ id: 'x', name: 'One' }),
    sent: { id: 'x', name: 'One' },
    response: identityProfile,
  },
  'put-identity-profile-v1': {
    call: ({ identityProfiles }) => identityProfiles.replace(odd.given, { name: 'One' }),
    id: odd.sent,
    sent: { name: 'One' },
    response: identityProfile,
  },
  'patch-identity-profile-v1': {
    call: ({ identityProfiles }) => identityProfiles.patch('x', rename),
    id: 'x',
    sent: rename,
    response: identityProfile,
  },
  'delete-identity-profile-v1': { call: ({ identityProfiles }) => identityProfiles.delete(odd.given), id: odd.sent },
  'export-access-model-v1': { call: ({ accessModel }) => collect(accessModel.export()), response: entitlement },
  'list-webhooks-v1': { call: ({ webhooks }) => collect(webhooks.list()), query: '?offset=0', response: [webhook] },
  'create-webhook-v1': {
    call: ({ webhooks }) => webhooks.create(newWebhook),
    sent: newWebhook,
    response: { ...webhook, secret: 'shown once' },
  },
  'get-webhook-v1': { call: ({ webhooks }) => webhooks.get(odd.given), id: odd.sent, response: webhook },
  'patch-webhook-v1': {
    call: ({ webhooks }) => webhooks.patch('w-1', rename),
    id: 'w-1',
    sent: rename,
    response: webhook,
  },
  'delete-webhook-v1': { call: ({ webhooks }) => webhooks.delete(odd.given), id: odd.sent },
  'rotate-webhook-secret-v1': {
    call: ({ webhooks }) => webhooks.rotateSecret(odd.given),
    id: odd.sent,
    sent: {},
    response: { ...webhook, secret: 'shown once' },
  },
  'list-webhook-deliveries-v1': {
    call: ({ webhooks }) => collect(webhooks.deliveries(odd.given, { filters: 'state eq "FAILED"' })),
    id: odd.sent,
    query: '?filters=state%20eq%20%22FAILED%22',
    response: [delivery],
  },
  'resend-webhook-delivery-v1': {
    call: ({ webhooks }) => webhooks.resend(odd.given, odd.given),
    id: odd.sent,
    sent: {},
    response: delivery,
  },
  'test-webhook-v1': {
    call: ({ webhooks }) => webhooks.test(odd.given),
    id: odd.sent,
    sent: {},
    response: delivery,
  },
  'replay-webhook-v1': {
    call: ({ webhooks }) => webhooks.replay(odd.given, '7'),
    id: odd.sent,
    sent: { after: '7' },
    response: webhook,
  },
  'list-audit-events-v1': {
    call: ({ auditEvents }) => collect(auditEvents.list({ filters: 'actor eq "c-1"' })),
    query: '?filters=actor%20eq%20%22c-1%22&offset=0',
    response: [auditEvent],
  },
  'export-audit-events-v1': { call: ({ auditEvents }) => collect(auditEvents.export()), response: auditEvent },
  'get-audit-head-v1': {
    call: ({ auditEvents }) => auditEvents.head(),
    response: { sequence: 1, hash, signature: 'a.b.c' },
  },
  'list-events-v1': {
    call: ({ events }) => events.page({ after: '1', types: ['sod.check.*'], limit: 5 }).then(({ items }) => items),
    query: '?after=1&types=sod.check.*&limit=5',
    response: [cloudEvent],
  },
};

describe.each(OPERATIONS)('$id', (operation) => {
  const { call, id, query = '', sent, response, resolved } = SAMPLES[operation.id];
  const line = `${operation.method} ${operation.path.replaceAll(/\{\w+\}/g, id ?? '')}${query}`;
  const { status, mediaType } = operation.response;
  const answered =
    mediaType === 'application/jose' ? text(status, String(response), mediaType) : json(status, response);
  const reaction = response === undefined ? empty(status) : answered;
  const whole = mediaType !== 'application/x-ndjson' ? response : [response];
  const expected = resolved ?? whole;

  test('sends the request of the operation table', async () => {
    await using stage = await openStage();
    stage.server.script(line, reaction);
    await expect(call(stage.admin)).resolves.toEqual(expected);
    const [arrival] = stage.server.arrivals;
    expect(arrival?.line).toBe(line);
    expect(arrival?.headers).toMatchObject({
      accept: operation.response.mediaType ?? 'application/json',
      authorization: 'Bearer token-1',
    });
    expect(arrival?.headers['content-type']).toBe(operation.body?.mediaType);
    expect(arrival?.headers['x-service-experimental']).toBe(operation.experimental ? 'true' : undefined);
    expect(arrival?.body).toBe(sent === undefined ? '' : asText(operation.body?.mediaType, sent));
  });

  test('has samples that fit the schemas of the operation table', () => {
    if (operation.body?.schema) expect(validate(operation.body.schema, sent)).toMatchObject({ ok: true });
    if (operation.response.schema) expect(validate(operation.response.schema, response)).toMatchObject({ ok: true });
  });

  test('sends the experimental header only if the client enables it', async () => {
    await using stage = await openStage({ experimental: false });
    stage.server.script(line, reaction);
    await call(stage.admin);
    expect(stage.server.arrivals[0]?.headers).not.toHaveProperty('x-service-experimental');
  });
});

test('searches go on page by page to the end', async () => {
  await using stage = await openStage();
  const found = (id: string) => ({ type: 'user', id });
  const line = 'POST /access/v1/search/subject';
  const search = { ...question, subject: { type: 'user' } };
  const first = { page: { next_token: 'more', count: 1 }, results: [found('alice')] };
  const last = { page: { next_token: '', count: 1 }, results: [found('bob')] };
  stage.server.script(line, json(200, first), json(200, last));
  expect(await collect(stage.admin.authzen.searchSubjects(search, { limit: 1 }))).toEqual([
    found('alice'),
    found('bob'),
  ]);
  const pages = stage.server.arrivals.map(({ body }) => JSON.parse(body).page);
  expect(pages).toEqual([{ limit: 1 }, { limit: 1, token: 'more' }]);
});

describe('include', () => {
  test.each([
    [['via'], '?include=via'],
    [['via', 'remediation'], '?include=via%2Cremediation'],
    [[], ''],
    [undefined, ''],
  ] as const)('%j is sent', async (include, query) => {
    await using stage = await openStage();
    for (const path of ['predict', 'check'] as const) {
      const line = `POST /sod-violations/v1/${path}${query}`;
      stage.server.script(line, path === 'predict' ? json(200, prediction) : json(202, { requestId: 'r-1' }));
      await stage.admin.sodViolations[path](access, { include });
      expect(stage.server.arrivals.at(-1)?.line).toBe(line);
    }
  });
});

test('windows and the evaluation time are sent unchanged', async () => {
  await using stage = await openStage();
  const ref = { type: 'ROLE', id: 'r-1' } as const;
  const start = '2027-01-01T01:00:00+01:00';
  const request = { identityId: 'i-1', accessRefs: [ref, { ...ref, start }, { ...ref, start, end: start }], at: start };
  const { server, admin } = stage;
  server.script('POST /sod-violations/v1/predict', json(200, prediction));
  await admin.sodViolations.predict(request);
  expect(JSON.parse(server.arrivals.at(-1)?.body ?? '')).toEqual(request);
  const identity = {
    kind: 'identity',
    id: 'i-1',
    uid: 'u',
    identityProfile: 'ip',
    access: request.accessRefs,
  } as const;
  server.script('POST /access-model/v1/import', json(200, imported));
  await admin.accessModel.import([identity]);
  expect(JSON.parse(server.arrivals.at(-1)?.body ?? '')).toEqual(identity);
});

const asText = (mediaType: string | undefined, value: unknown): string =>
  `${JSON.stringify(value)}${mediaType === 'application/x-ndjson' ? '\n' : ''}`;
