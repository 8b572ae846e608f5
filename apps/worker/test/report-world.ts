import {
  type AccessModelRecord,
  type AccessRef,
  auditContextOf,
  planImport,
  type SodPolicy,
  type SodPolicyFields,
  UNSET_POLICY_FIELDS,
} from '@access-admin/domain';
import type { CountedPolicy, NewReport, Store } from '@access-admin/store';

export const NOW = '2026-03-01T12:00:00.000Z';

/** Draws integers from 0 up to, and without, `end`; the same seed gives the same numbers (mulberry32). */
export function createRandom(seed: number): (end: number) => number {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return (end) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % end;
  };
}

const APPLICATION = { clientId: 'c', scopes: new Set<string>(), identityId: null, capabilities: [] };

export const importAll = (store: Store, tenant: string, given: readonly AccessModelRecord[]): Promise<void> =>
  importAt(store, { tenant, now: NOW }, given);

/** Imports at an instant, ISO 8601. */
export async function importAt(
  store: Store,
  { tenant, now }: { readonly tenant: string; readonly now: string },
  given: readonly AccessModelRecord[],
): Promise<void> {
  const records = given.map((record, place) => ({ line: place + 1, record }));
  const caller = { ...APPLICATION, tenant };
  const auditContext = auditContextOf(caller, { operation: 'test', time: now, trackingId: '0'.repeat(32) });
  const imported = await store.accessModel.import({ auditContext, records }, (base) =>
    planImport({ records, base, caller, now }),
  );
  if (!imported.ok) throw new Error(`The import was refused: ${JSON.stringify(imported.failure)}`);
}

const NO_ATTRIBUTES = {
  alias: null,
  firstname: null,
  lastname: null,
  email: null,
  personalEmail: null,
  phone: null,
  workPhone: null,
  identificationNumber: null,
  lastPasswordChangeDate: null,
  lastLoginTimestamp: null,
  currentLoginTimestamp: null,
  lastUnlockTimestamp: null,
};

export const identity = (id: string, displayName: string | null, access: readonly AccessRef[]): AccessModelRecord => ({
  kind: 'identity',
  id,
  uid: id,
  identityProfile: 'ip',
  displayName,
  access,
  ...NO_ATTRIBUTES,
});

const NO_TEXTS = {
  description: null,
  externalPolicyReference: null,
  compensatingControls: null,
  correctionAdvice: null,
  ownerRef: null,
  ...UNSET_POLICY_FIELDS,
};

const side = (ids: readonly string[], name: string | null = null) => ({
  name,
  criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT' as const, id, name: null })),
});

/** A policy with these sides; a k-of-n policy if `atLeast` is given. */
export function policyOf(
  id: string,
  sides: readonly (readonly string[])[],
  { atLeast, ...fields }: Partial<SodPolicyFields> & { readonly atLeast?: number } = {},
): SodPolicy {
  const [left = [], right = []] = sides;
  return {
    id,
    name: `Policy ${id}`,
    state: 'ENFORCED',
    level: 'HIGH',
    type: 'CONFLICTING_ACCESS_BASED',
    tags: [],
    conflictingAccessCriteria:
      atLeast === undefined
        ? { leftCriteria: side(left), rightCriteria: side(right) }
        : { criteria: sides.map((ids, at) => side(ids, at === 0 ? null : `side ${at}`)), atLeast },
    ...NO_TEXTS,
    creatorId: null,
    modifierId: null,
    created: NOW,
    modified: NOW,
    ...fields,
  };
}

const withoutTimes = ({ created: _, modified: __, ...fields }: SodPolicy): SodPolicyFields => fields;

export const policyRecord = (policy: SodPolicy): AccessModelRecord => ({
  kind: 'sodPolicy',
  ...withoutTimes(policy),
});

export const newReport = (reportId: string, fields: Partial<NewReport> = {}): NewReport => ({
  tenant: 'acme',
  reportId,
  created: NOW,
  kind: 'SCAN',
  dryRun: null,
  blastRadius: null,
  at: null,
  requestedBy: { clientId: 'c', identityId: null },
  question: {},
  ...fields,
});

/** All lines of a report, and the counts of its summary. */
export async function readAll(store: Store, reportId: string, tenant = 'acme') {
  const report = await store.reports.find(tenant, reportId);
  if (report === null) throw new Error(`There is no report ${reportId}.`);
  const lines = [];
  for (let offset = 0; ; offset += 7) {
    const page = await store.reports.listViolations(report, [], { limit: 7, offset });
    lines.push(...page);
    if (page.length < 7) break;
  }
  const policies: CountedPolicy[] = [];
  for await (const page of store.reports.policies(report)) policies.push(...page);
  return { report, lines, policies };
}
