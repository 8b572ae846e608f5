import type { AccessModelInput } from '@access-admin/client';
import { parseImportLines } from '@access-admin/contract';
import { auditContextOf, type Caller, ok, planImport } from '@access-admin/domain';
import type { NewCheck, Store } from '@access-admin/store';

/** The time of every change. */
export const CREATED = '2026-03-01T12:00:00.000Z';

const callerIn = (tenant: string): Caller => ({
  tenant,
  clientId: 'proof',
  scopes: new Set(['access-model:manage']),
  identityId: null,
  capabilities: [],
});

const contextIn = (tenant: string) =>
  auditContextOf(callerIn(tenant), { operation: 'proof', time: CREATED, trackingId: '0'.repeat(32) });

/** Imports records as an application with every right; a refusal throws. */
export async function importRecords(store: Store, tenant: string, inputs: readonly AccessModelInput[]): Promise<void> {
  const lines = inputs.map((input) => JSON.stringify(input)).join('\n');
  const parsed = await parseImportLines(lines, async () => {});
  if (!parsed.ok) throw new Error(`The records are invalid: ${JSON.stringify(parsed.failure)}`);
  const records = parsed.value;
  const outcome = await store.accessModel.import({ auditContext: contextIn(tenant), records }, (base) =>
    planImport({ records, base, caller: callerIn(tenant), now: CREATED }),
  );
  if (!outcome.ok) throw new Error(`The import was refused: ${JSON.stringify(outcome.failure)}`);
}

/** Of identity profile `ip`. */
export const identity = (id: string, displayName: string): AccessModelInput => ({
  kind: 'identity',
  id,
  uid: id,
  identityProfile: 'ip',
  displayName,
});

export const newCheck = (tenant: string, requestId: string): NewCheck => ({
  tenant,
  requestId,
  created: CREATED,
  identityId: 'i-1',
  accessRefs: [{ type: 'ENTITLEMENT', id: 'e-left' }],
  clientMetadata: { ticket: requestId },
});

export const setLabel = (store: Store, tenant: string, usernameLabel: string) =>
  store.uiMetadata.change(contextIn(tenant), { decide: (metadata) => ok({ ...metadata, usernameLabel }) });

/** Puts rows into every table. */
export async function fillStore(store: Store, tenants: readonly string[], checks: number): Promise<void> {
  for (const tenant of tenants) {
    await importRecords(store, tenant, MODEL);
    await importRecords(store, tenant, [identity('i-1', 'changed')]);
    await setLabel(store, tenant, 'Badge number');
    const client = { tenant, id: `c-${tenant}`, name: 'Client', scopes: ['auth-users:read'], identityId: 'i-1' };
    await store.clients.create(contextIn(tenant), { ...client, created: CREATED, secretHash: 'hash' });
    const backlog = Array.from({ length: checks }, (_, number) => newCheck(tenant, `r-${number}`));
    await Promise.all(backlog.map((check) => store.checks.enqueue(check, Number.MAX_SAFE_INTEGER)));
  }
  await store.signingKeys.createFor({
    kid: 'k-1',
    issuer: 'https://a.example.com',
    privateJwk: '{}',
    created: CREATED,
  });
  const claims = await store.checks.claim({ nowMs: 1, leaseMs: 1_000, limit: checks });
  const result = '{"message":null,"clientMetadata":{"a":"b"},"violationContexts":[],"violatedPolicies":[]}';
  await store.checks.complete(
    claims.slice(1).map((claim) => ({ ...claim, state: 'SUCCESS' as const, completed: CREATED, result })),
  );
}

const side = (id: string) => ({ criteriaList: [{ type: 'ENTITLEMENT' as const, id }] });

const MODEL: readonly AccessModelInput[] = [
  { kind: 'entitlement', id: 'e-left', name: 'Left', source: 'ERP' },
  { kind: 'entitlement', id: 'e-right', name: 'Right' },
  { kind: 'accessProfile', id: 'ap', name: 'Profile', entitlements: ['e-left'] },
  { kind: 'role', id: 'r', name: 'Role', accessProfiles: ['ap'], entitlements: ['e-right'] },
  { kind: 'identityProfile', id: 'ip', name: 'Staff' },
  ...Array.from({ length: 300 }, (_, number) => identity(`i-${number}`, `Person ${number}`)),
  {
    kind: 'sodPolicy',
    id: 'p',
    name: 'Policy',
    description: 'Never both',
    tags: ['a'],
    conflictingAccessCriteria: { leftCriteria: side('e-left'), rightCriteria: side('e-right') },
  },
];
