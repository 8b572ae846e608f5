import {
  type AccessModelRecord,
  type AccessRef,
  type AuditContext,
  type Authorization,
  accountRef,
  auditContextOf,
  type Caller,
  type Capability,
  type EvaluatedPolicy,
  type ExportRecord,
  type ImportRecord,
  MANAGE_WEBHOOKS,
  planImport,
  UNSET_POLICY_FIELDS,
} from '@access-admin/domain';
import type { Store } from '../src/index.ts';

export const NOW = '2026-03-01T12:00:00.000Z';

/** The importer of these tests: an application with all rights. */
export const APPLICATION: Caller = {
  tenant: 'acme',
  clientId: 'c-app',
  scopes: new Set(['access-model:manage']),
  identityId: null,
  capabilities: [],
};

/** The audit context of the same application in a tenant. */
export const actIn = (tenant: string, time = NOW): AuditContext =>
  auditContextOf({ ...APPLICATION, tenant }, { operation: 'test', time, trackingId: '0'.repeat(32) });

/** Makes the audit context of a caller whose rights are verified in the transaction of its change. */
export const actAs = (
  fields: Partial<Caller>,
  { rights = MANAGE_WEBHOOKS, ...own }: Partial<Pick<Authorization, 'rights' | 'targetIdentityId'>> = {},
): AuditContext => {
  const caller = { ...APPLICATION, scopes: new Set(rights.scopes), ...fields };
  const { clientId, identityId } = caller;
  return { ...actIn('acme'), actor: { clientId, identityId }, authorization: { rights, caller, ...own } };
};

type RecordOf<K> = Extract<AccessModelRecord, { readonly kind: K }>;

export const entitlement = (id: string, name = id): RecordOf<'entitlement'> => ({
  kind: 'entitlement',
  id,
  name,
  source: null,
});

export const accessProfile = (id: string, entitlements: readonly string[]): RecordOf<'accessProfile'> => ({
  kind: 'accessProfile',
  id,
  name: id,
  entitlements,
});

export const role = (
  id: string,
  held: { readonly accessProfiles?: readonly string[]; readonly entitlements?: readonly string[] },
): RecordOf<'role'> => ({ kind: 'role', id, name: id, accessProfiles: [], entitlements: [], ...held });

export const identityProfile = (
  id: string,
  fields: Partial<RecordOf<'identityProfile'>> = {},
): RecordOf<'identityProfile'> => ({ kind: 'identityProfile', id, name: id, ...fields });

/** An identity of profile `ip`, by default without access. */
export const identity = (id: string, fields: Partial<RecordOf<'identity'>> = {}): RecordOf<'identity'> => ({
  kind: 'identity',
  id,
  uid: `${id}-uid`,
  identityProfile: 'ip',
  displayName: id,
  alias: id,
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
  ...fields,
});

export const sodPolicy = (
  id: string,
  sides: { readonly left: readonly string[]; readonly right: readonly string[] },
  fields: Partial<RecordOf<'sodPolicy'>> = {},
): RecordOf<'sodPolicy'> => ({
  kind: 'sodPolicy',
  id,
  name: id,
  description: null,
  state: 'ENFORCED',
  level: 'HIGH',
  type: 'CONFLICTING_ACCESS_BASED',
  conflictingAccessCriteria: { leftCriteria: side(sides.left), rightCriteria: side(sides.right) },
  externalPolicyReference: null,
  compensatingControls: null,
  correctionAdvice: null,
  tags: [],
  ownerRef: null,
  ...UNSET_POLICY_FIELDS,
  ...fields,
});

const side = (ids: readonly string[]) => ({
  name: null,
  criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT' as const, id, name: null })),
});

/** What evaluations need of a policy, as values: stored ones read their criteria only when asked. */
export const evaluatedPolicy = ({
  id,
  name,
  state,
  level,
  conflictingAccessCriteria,
}: EvaluatedPolicy): EvaluatedPolicy => ({
  id,
  name,
  state,
  level,
  conflictingAccessCriteria,
});

export const deletion = (kind: AccessModelRecord['kind'], id: string): AccessModelRecord => ({
  kind,
  id,
  delete: true,
});

export const holds = (type: AccessRef['type'], ...ids: readonly string[]): readonly AccessRef[] =>
  ids.map((id) => ({ type, id }));

export const asLines = (records: readonly AccessModelRecord[]): readonly ImportRecord[] =>
  records.map((record, place) => ({ line: place + 1, record }));

/** Imports records; a failure is an error. */
export async function importAll(store: Store, tenant: string, records: readonly AccessModelRecord[], now = NOW) {
  const lines = asLines(records);
  const result = await store.accessModel.import({ auditContext: actIn(tenant, now), records: lines }, (base) =>
    planImport({ records: lines, base, caller: APPLICATION, now }),
  );
  if (!result.ok) throw new Error(`The import was refused: ${JSON.stringify(result.failure)}`);
  return result.value;
}

export async function exportAll(store: Store, tenant: string): Promise<readonly ExportRecord[]> {
  const records: ExportRecord[] = [];
  for await (const record of store.accessModel.export(tenant)) records.push(record);
  return records;
}

/** An exported record as an import reads it. */
export function fromExport(record: ExportRecord): AccessModelRecord {
  if ('delete' in record || record.kind !== 'account') return record;
  const { identityId, correlation, source, id, ...fields } = record;
  const manual = correlation === 'MANUAL' ? { identityId } : null;
  return { displayName: null, email: null, ...fields, source, id: accountRef(source, id), account: id, manual };
}

/** An identity profile `ip` and identities of it with these capabilities. */
export function people(capabilities: Readonly<Record<string, readonly Capability[]>>): readonly AccessModelRecord[] {
  const identities = Object.entries(capabilities).map(([id, held]) => identity(id, { capabilities: held, access: [] }));
  return [identityProfile('ip'), ...identities];
}
