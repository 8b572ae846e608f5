import type {
  ClaimedReport,
  FixPlanEntry,
  LineCondition,
  NewReport,
  ReportClaim,
  ReportCondition,
  Store,
} from '../src/index.ts';
import { actIn, NOW } from './model-records.ts';

const REPORT = {
  tenant: 'acme',
  created: NOW,
  blastRadius: null,
  at: null,
  requestedBy: { clientId: 'c', identityId: 'i-1' },
  question: { remove: ['p'] },
  kind: 'DRY_RUN',
  dryRun: { add: [], change: [], remove: ['p'] },
} as const satisfies Omit<NewReport, 'reportId'>;
const COUNTS = { new: 0, same: 1, gone: 0 };
const COUNTED = { ...COUNTS, excepted: COUNTS };
const SOME: readonly LineCondition[] = [
  { field: 'change', operator: 'eq', values: ['same'] },
  { field: 'policyId', operator: 'in', values: ['p'] },
  { field: 'level', operator: 'in', values: ['HIGH'] },
  { field: 'excepted', operator: 'eq', values: ['true'] },
];
const QUERIES = [[], SOME, [...SOME, { field: 'identityId', operator: 'in', values: ['i-1'] }]] as const;
const OF_SCANS: readonly ReportCondition[] = [
  { field: 'kind', operator: 'eq', values: ['SCAN'] },
  { field: 'state', operator: 'in', values: ['SUCCESS'] },
];
const END = {
  state: 'SUCCESS',
  completed: NOW,
  totals: { identities: 1, ...COUNTS, excepted: 1 },
  message: null,
} as const;
const SIDES = { atLeast: null, sides: [] };
const POLICY = { policyId: 'p', name: 'P', level: 'HIGH', before: SIDES, after: SIDES, number: 0, ...COUNTED } as const;
const VIOLATION = {
  number: 0,
  identityId: 'i-1',
  displayName: null,
  change: 'same',
  items: [],
  exception: { id: 'x', end: NOW },
} as const;

const FIXED = { policyId: 'p', policyName: 'P', level: 'HIGH' } as const;
const ENTRIES: readonly FixPlanEntry[] = [
  {
    list: 'STEP',
    number: 1,
    shown: {
      step: 1,
      identityId: 'i-1',
      displayName: null,
      revoke: { type: 'ROLE', id: 'r', name: 'R' },
      ends: [FIXED],
      alsoLoses: [],
    },
  },
  {
    list: 'UNSOLVABLE',
    number: 0,
    shown: {
      identityId: 'i-1',
      displayName: null,
      ...FIXED,
      conflictingAccessCriteria: { criteria: [], atLeast: 2 },
      reason: 'PROTECTED',
    },
  },
];

async function claim({ reports }: Store): Promise<ClaimedReport> {
  const claimed = await reports.claim({ nowMs: 1_000, leaseMs: 1 });
  if (claimed === null) throw new Error('there is nothing to claim');
  return claimed;
}

/** The results of the completed report. */
const DONE: ReportClaim = { tenant: 'acme', reportId: 'r-1', fence: 1 };

/** A call of each method of the reports that reaches all its statements, in this order. */
export const REPORT_CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'reports.enqueue': async ({ reports }) => {
    for (const reportId of ['r-1', 'r-2']) await reports.enqueue({ ...REPORT, reportId }, 10);
  },
  'reports.measureBacklog': ({ reports }) => reports.measureBacklog(),
  'reports.presentPolicies': ({ reports }) => reports.presentPolicies('acme', ['p', 'none']),
  'reports.claim': (store) => claim(store),
  'reports.readDryRun': async ({ reports }) => {
    for await (const _ of reports.readDryRun(DONE));
  },
  'reports.readVersion': ({ reports }) => reports.readVersion('acme'),
  'reports.openSource': async ({ reports }) => {
    await using source = await reports.openSource('acme');
    await source.countIdentities();
    await source.readPolicies(['p']);
    await source.rolesWith('ap');
    const everybody = { from: '', before: null };
    for await (const _ of source.identities(everybody));
    for await (const _ of source.identityIds({ from: 'a', before: 'z' }));
    for await (const _ of (await source.identitiesSince(0, 1)) ?? []);
    for await (const _ of source.approvedExceptions(NOW));
    await source.countIdentities(everybody);
  },
  'reports.renew': ({ reports }) =>
    reports.renew(DONE, { progress: 0.5, leaseEndMs: 2_000, basis: { policySetVersion: 1, asOf: NOW } }),
  'reports.saveViolations': ({ reports }) => reports.saveViolations(DONE, [VIOLATION], 2_000),
  'reports.savePolicies': ({ reports }) => reports.savePolicies(DONE, [POLICY], 2_000),
  'reports.saveEntries': ({ reports }) => reports.saveEntries(DONE, ENTRIES, 2_000),
  'reports.readBundleNames': async ({ reports }) => {
    for (const type of ['ROLE', 'ACCESS_PROFILE'] as const)
      await reports.readBundleNames('acme', { type, ids: new Set(['r']) });
  },
  'reports.presentIdentities': ({ reports }) => reports.presentIdentities('acme', ['i-1', 'none']),
  'reports.readGrantsBySource': async ({ reports }) => {
    for await (const _ of reports.readGrantsBySource('acme', ['i-1']));
  },
  'reports.complete': ({ reports }) => reports.complete(DONE, END, 10),
  'reports.find': ({ reports }) => reports.find('acme', 'r-1'),
  'reports.list': async ({ reports }) => {
    await reports.list('acme', [], { limit: 10, offset: 0 });
    await reports.list('acme', OF_SCANS, { limit: 10, offset: 0 });
  },
  'reports.count': ({ reports }) => reports.count('acme', OF_SCANS),
  'reports.policies': async ({ reports }) => {
    for await (const _ of reports.policies(DONE));
  },
  'reports.listViolations': async ({ reports }) => {
    for (const query of QUERIES)
      for (const offset of [0, 1]) await reports.listViolations(DONE, query, { limit: 10, offset });
  },
  'reports.countViolations': async ({ reports }) => {
    for (const query of QUERIES) await reports.countViolations(DONE, query);
  },
  'reports.entries': async ({ reports }) => {
    for (const list of ['STEP', 'UNSOLVABLE'] as const) for await (const _ of reports.entries(DONE, list));
  },
  'reports.handOver': ({ reports }) => reports.handOver(actIn('acme'), { reportId: 'r-1', step: 1, comment: null }),
  'reports.removeResults': ({ reports }) => reports.removeResults(DONE),
  'reports.release': async (store) => store.reports.release(await claim(store), { availableAtMs: 0, isAttempt: true }),
  'reports.removeExpired': async ({ reports }) => {
    while (await reports.removeExpired('9999-01-01T00:00:00.000Z'));
  },
};
