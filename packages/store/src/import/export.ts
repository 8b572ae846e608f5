import type { ExportRecord } from '@access-admin/domain';
import { readBranding } from '../administration/branding.ts';
import { readUiMetadata } from '../administration/ui-metadata.ts';
import { createPauses } from '../engine/concurrency/pauses.ts';
import type { Database, Reads } from '../engine/database.ts';
import { readPages } from '../query/model-tables.ts';
import type { ModelTable, Tables } from '../schema/tables.ts';
import { readSignInSettings } from '../sign-in/settings.ts';
import {
  accessProfileRecord,
  accountRecord,
  brandingRecord,
  controlRecord,
  entitlementRecord,
  identityProfileRecord,
  identityRecord,
  roleRecord,
  signInRecords,
  sodPolicyRecord,
  sourceRecord,
  uiMetadataRecord,
} from './export-records.ts';

/** The records of a tenant as of one instant, each kind before the kinds that refer to it, by id within a kind. */
export async function* exportAccessModel(database: Database, tenant: string): AsyncGenerator<ExportRecord> {
  await using snapshot = await database.openSnapshot('export', tenant);
  yield* recordsOf(snapshot, { table: 'entitlement', tenant }, entitlementRecord);
  yield* recordsOf(snapshot, { table: 'access_profile', tenant }, accessProfileRecord);
  yield* recordsOf(snapshot, { table: 'role', tenant }, roleRecord);
  yield* recordsOf(snapshot, { table: 'identity_profile', tenant }, identityProfileRecord);
  yield* recordsOf(snapshot, { table: 'source', tenant }, sourceRecord);
  yield* recordsOf(snapshot, { table: 'identity', tenant }, identityRecord);
  yield* recordsOf(snapshot, { table: 'account', tenant }, accountRecord);
  yield* recordsOf(snapshot, { table: 'control', tenant }, controlRecord);
  yield* recordsOf(snapshot, { table: 'sod_policy', tenant }, sodPolicyRecord);
  const uiMetadata = await snapshot.read((db) => readUiMetadata(db, tenant));
  if (Object.values(uiMetadata).some((value) => value !== null)) yield uiMetadataRecord(uiMetadata);
  const branding = await snapshot.read((db) => readBranding(db, tenant));
  if (Object.values(branding).some((value) => value !== null)) yield brandingRecord(branding);
  yield* signInRecords(await snapshot.read((db) => readSignInSettings(db, tenant)));
}

async function* recordsOf<T extends ModelTable>(
  reads: Reads,
  { table, tenant }: { readonly table: T; readonly tenant: string },
  toRecord: (row: Tables[T]) => ExportRecord,
): AsyncGenerator<ExportRecord> {
  const pause = createPauses();
  for await (const rows of readPages(reads, table, tenant)) {
    for (const row of rows) {
      yield toRecord(row);
      await pause();
    }
  }
}
