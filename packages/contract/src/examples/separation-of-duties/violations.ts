import type { OperationExamples } from '../definition.ts';

const SHOWN = {
  id: '019ab2e5-7a10-7c3e-9d0c-1f6f6c1c7a52',
  name: 'AP: enter vendor payment and approve it: Amara Okafor',
  status: 'Open',
  level: 'Critical',
  created: '2026-11-22T17:02:57.101Z',
  modified: '2026-11-22T17:02:57.101Z',
  closed: null,
  lastEvaluatedDate: '2026-11-22T17:03:20.415Z',
  target: { type: 'IDENTITY', id: 'i-0042', name: 'Amara Okafor' },
  policy: { type: 'SOD_POLICY', id: 'p-ap-payment', name: 'AP: enter vendor payment and approve it' },
  owner: { type: 'IDENTITY', id: 'i-0280', name: 'Arjun Sharma' },
  conflictingCriteria: [
    {
      name: 'Enter payments',
      conflictingItems: [{ type: 'ENTITLEMENT', id: 'e-ap-enter', name: 'AP: enter payment' }],
    },
    {
      name: 'Approve payments',
      conflictingItems: [{ type: 'ENTITLEMENT', id: 'e-ap-approve', name: 'AP: approve payment' }],
    },
  ],
  exception: null,
  appliedControls: [],
  expiration: null,
};

/** The register of violations. */
export const VIOLATIONS_EXAMPLES = {
  'list-violations-v1': {
    query: { filters: 'status eq "Open" and level in ("High", "Critical")', limit: 1 },
    response: [SHOWN],
  },
  'export-violations-v1': {
    query: { filters: 'status eq "Open" and level in ("High", "Critical")' },
    response: [SHOWN],
  },
  'get-violations-summary-v1': {
    query: { days: '1' },
    response: {
      ...{ asOf: '2026-11-22T17:03:20.415Z', policySetVersion: 1, identities: 300, open: 1, mitigated: 0 },
      byLevel: [
        { level: 'Critical', open: 1, mitigated: 0 },
        { level: 'High', open: 0, mitigated: 0 },
        { level: 'Medium', open: 0, mitigated: 0 },
        { level: 'Low', open: 0, mitigated: 0 },
      ],
      byPolicy: [{ policy: SHOWN.policy, open: 1, mitigated: 0, oldest: SHOWN.created }],
      trend: [{ date: '2026-11-22', opened: 1, ended: 0, open: 1 }],
    },
  },
  'get-violation-v1': { response: SHOWN },
  'reassign-violation-v1': {
    request: { reassignTo: { type: 'IDENTITY', id: 'i-0280' }, comments: 'Leads the department.' },
    response: SHOWN,
  },
  'apply-control-v1': {
    request: { control: { type: 'CONTROL', id: 'c-third-signature' }, comments: 'Until the year is closed.' },
    response: {
      id: '3d5a8a6e-0f3a-4a68-9a31-5b0f6f0f4c11',
      violation: { type: 'VIOLATION', id: SHOWN.id, name: SHOWN.name },
      control: { type: 'CONTROL', id: 'c-third-signature', name: 'Third signature' },
      applier: { type: 'IDENTITY', id: 'i-0280', name: 'Arjun Sharma' },
      appliedDate: '2026-11-22T17:03:20.415Z',
      expiration: '2026-12-12T17:03:20.415Z',
      comments: 'Until the year is closed.',
      status: 'Pending',
      exceptionId: '8a97c40e-94f6-4e39-b1ea-feda8a301801',
    },
  },
  'list-my-violations-v1': { query: { limit: 1 }, response: [SHOWN] },
} as const satisfies OperationExamples;
