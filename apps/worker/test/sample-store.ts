import { type AccessModelRecord, auditContextOf, planImport } from '@access-admin/domain';
import { createEngineDatabase } from '@access-admin/harness';
import { type NewCheck, openStore, type Store } from '@access-admin/store';

const TENANT = 'acme';
const NOW = '2026-03-01T12:00:00.000Z';

export interface SampleStore extends AsyncDisposable {
  readonly url: string;
  readonly store: Store;
}

export const migrate = async (url: string) => (await openStore(url)).close();

/** A new database in which identity `i-1` holds `e-vendor`, and policy `p-1` separates `e-vendor` and `e-pay`. */
export async function openSampleStore(): Promise<SampleStore> {
  const { url, remove } = await createEngineDatabase(undefined, migrate);
  const store = await openStore(url);
  const records = SAMPLE.map((record, place) => ({ line: place + 1, record }));
  const auditContext = auditContextOf(
    { ...APPLICATION, tenant: TENANT },
    { operation: 'test', time: NOW, trackingId: '0'.repeat(32) },
  );
  const imported = await store.accessModel.import({ auditContext, records }, (base) =>
    planImport({ records, base, caller: APPLICATION, now: NOW }),
  );
  if (!imported.ok) throw new Error(`The import was refused: ${JSON.stringify(imported.failure)}`);
  return {
    url,
    store,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await remove();
    },
  };
}

/** A check of `e-pay` for `i-1`, which would violate `p-1`. */
export const newCheck = (requestId: string, fields: Partial<NewCheck> = {}): NewCheck => ({
  tenant: TENANT,
  requestId,
  created: NOW,
  identityId: 'i-1',
  accessRefs: [{ type: 'ENTITLEMENT', id: 'e-pay' }],
  clientMetadata: { ticket: requestId },
  ...fields,
});

export async function enqueueAll(store: Store, checks: readonly NewCheck[]): Promise<void> {
  await Promise.all(checks.map((check) => store.checks.enqueue(check, 100_000)));
}

/** State, message and violated policies of a check. */
export async function outcomeOf(store: Store, requestId: string): Promise<string> {
  const check = await store.checks.find(TENANT, requestId);
  const { message, violatedPolicies } = check?.violationCheckResult ?? { message: null, violatedPolicies: [] };
  return [check?.state, message, ...violatedPolicies.map(({ id }) => id)].filter((part) => part !== null).join(' ');
}

const APPLICATION = {
  tenant: TENANT,
  clientId: 'c-1',
  scopes: new Set(['access-model:manage']),
  identityId: null,
  capabilities: [],
};

const sideOf = (id: string) => ({ name: null, criteriaList: [{ type: 'ENTITLEMENT' as const, id, name: null }] });

const SAMPLE: readonly AccessModelRecord[] = [
  { kind: 'entitlement', id: 'e-vendor', name: 'Create vendor', source: null },
  { kind: 'entitlement', id: 'e-pay', name: 'Release payment', source: null },
  { kind: 'identityProfile', id: 'ip-1', name: 'Employees' },
  {
    kind: 'identity',
    id: 'i-1',
    uid: 'ada',
    identityProfile: 'ip-1',
    displayName: null,
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
    access: [{ type: 'ENTITLEMENT', id: 'e-vendor' }],
  },
  {
    kind: 'sodPolicy',
    id: 'p-1',
    name: 'Vendor and payment',
    description: null,
    state: 'ENFORCED',
    level: 'HIGH',
    type: 'CONFLICTING_ACCESS_BASED',
    conflictingAccessCriteria: { leftCriteria: sideOf('e-vendor'), rightCriteria: sideOf('e-pay') },
    externalPolicyReference: null,
    compensatingControls: null,
    correctionAdvice: null,
    tags: [],
  },
];
