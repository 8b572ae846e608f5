import {
  accountRef,
  allowedControlsOf,
  type ImportFootprint,
  KIND_OF_ACCESS,
  type Reference,
  type StoredKind,
} from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { unpackAccess } from '../access/records/access-codec.ts';
import { rowToAccessProfile, rowToRole } from '../access/records/catalogue-codec.ts';
import { createPauses } from '../engine/concurrency/pauses.ts';
import { rowToSodPolicy } from '../policies/rulebook/policy-codec.ts';
import { readPages } from '../query/model-tables.ts';
import type {
  AccessProfileRow,
  AccountRow,
  IdentityRow,
  ModelTable,
  RoleRow,
  SodPolicyRow,
  SourceRow,
  Tables,
} from '../schema/tables.ts';

type Target = Reference['to'] & { readonly kind: StoredKind };

/** The references from stored records that the import does not touch to records that it deletes. Scans only when something is deleted. */
export async function findReferences(
  trx: Transaction<Tables>,
  tenant: string,
  { touched, deleted }: Pick<ImportFootprint, 'touched' | 'deleted'>,
): Promise<readonly Reference[]> {
  const references: Reference[] = [];
  const pause = createPauses();
  const scan = async <T extends ModelTable>(
    kind: StoredKind,
    table: T,
    targetsOf: (row: Tables[T]) => readonly Target[],
  ) => {
    for await (const rows of readPages({ read: (query) => query(trx) }, table, tenant)) {
      for (const row of rows) {
        const id = idOf(row);
        if (touched[kind].has(id)) continue;
        for (const to of targetsOf(row)) {
          if (deleted[to.kind].has(to.id)) references.push({ from: { kind, id }, to });
        }
        await pause();
      }
    }
  };
  const deletesAny = (...kinds: readonly StoredKind[]) => kinds.some((kind) => deleted[kind].size > 0);
  if (deletesAny('entitlement')) await scan('accessProfile', 'access_profile', accessProfileTargets);
  if (deletesAny('entitlement', 'accessProfile')) await scan('role', 'role', roleTargets);
  if (deletesAny('entitlement', 'accessProfile', 'role', 'identityProfile')) {
    await scan('identity', 'identity', identityTargets);
    // An account of nobody refers to its access, too. Those of deleted sources are deleted with them.
    await scan('account', 'account', (row) => (deleted.source.has(row.source_id) ? [] : accountTargets(row)));
  }
  if (deletesAny('identityProfile')) await scan('source', 'source', sourceTargets);
  if (deletesAny('control')) await scan('sodPolicy', 'sod_policy', policyTargets);
  return references;
}

/** What an import calls a record. */
const idOf = (row: Tables[ModelTable]): string =>
  'account_id' in row ? accountRef(row.source_id, row.account_id) : row.id;

const sourceTargets = ({ identity_profile }: SourceRow): readonly Target[] =>
  targets('identityProfile', identity_profile === null ? [] : [identity_profile]);

const accessTargets = (access: string): readonly Target[] =>
  unpackAccess(access).map(({ type, id }) => ({ kind: KIND_OF_ACCESS[type], id }));

const accountTargets = ({ access }: AccountRow): readonly Target[] => accessTargets(access);

const targets = (kind: StoredKind, ids: readonly string[]): readonly Target[] => ids.map((id) => ({ kind, id }));

const accessProfileTargets = (row: AccessProfileRow): readonly Target[] =>
  targets('entitlement', rowToAccessProfile(row).entitlements);

const policyTargets = (row: SodPolicyRow): readonly Target[] =>
  targets(
    'control',
    allowedControlsOf(rowToSodPolicy(row)).map(({ id }) => id),
  );

function roleTargets(row: RoleRow): readonly Target[] {
  const role = rowToRole(row);
  return [...targets('entitlement', role.entitlements), ...targets('accessProfile', role.accessProfiles)];
}

const identityTargets = (row: IdentityRow): readonly Target[] => [
  { kind: 'identityProfile', id: row.identity_profile },
  ...accessTargets(row.own_access ?? row.access),
];
