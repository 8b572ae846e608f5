import type { AccessModelRecord, SodCheck } from '@access-admin/domain';
import { createEngineDatabase } from '@access-admin/harness';
import { type NewCheck, openStore, type Store } from '@access-admin/store';
import { identity, importAll, NOW, policyOf, policyRecord } from './report-world.ts';

const TENANT = 'acme';

/** A store of a new database; disposing of it removes the database. */
export interface NewStore extends AsyncDisposable {
  readonly url: string;
  readonly store: Store;
}

export const migrate = async (url: string) => (await openStore(url)).close();

/** Identity `i-1` holds `e-vendor`, and policy `p-1` separates `e-vendor` and `e-pay`. */
export async function openSampleStore(): Promise<NewStore> {
  const opened = await openNewStore();
  await importAll(opened.store, TENANT, SAMPLE);
  return opened;
}

export async function openNewStore(): Promise<NewStore> {
  const { url, remove } = await createEngineDatabase(undefined, migrate);
  const store = await openStore(url);
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

/** A check with its result parsed. */
export async function findCheck(store: Store, requestId: string): Promise<SodCheck | null> {
  const check = await store.checks.find(TENANT, requestId);
  if (check === null) return null;
  const { result, resultBytes: _, ...rest } = check;
  return { ...rest, violationCheckResult: result === null ? null : JSON.parse(result) };
}

/** State, message and violated policies of a check. */
export async function outcomeOf(store: Store, requestId: string): Promise<string> {
  const check = await findCheck(store, requestId);
  const { message, violatedPolicies } = check?.violationCheckResult ?? { message: null, violatedPolicies: [] };
  return [check?.state, message, ...violatedPolicies.map(({ id }) => id)].filter((part) => part !== null).join(' ');
}

export const SAMPLE: readonly AccessModelRecord[] = [
  { kind: 'entitlement', id: 'e-vendor', name: 'Create vendor', source: null },
  { kind: 'entitlement', id: 'e-pay', name: 'Release payment', source: null },
  { kind: 'identityProfile', id: 'ip', name: 'Employees' },
  identity('i-1', null, [{ type: 'ENTITLEMENT', id: 'e-vendor' }]),
  policyRecord(policyOf('p-1', [['e-vendor'], ['e-pay']], { name: 'Vendor and payment' })),
];
