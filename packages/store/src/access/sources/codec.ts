import { hash } from 'node:crypto';
import type { Account, AccountCorrelation, Source } from '@access-admin/domain';
import { toSmall } from '../../query/ignore-case.ts';
import type { AccountRow, SourceRow } from '../../schema/tables.ts';
import { packAccess, unpackAccess } from '../records/access-codec.ts';

export const sourceToRow = (tenant: string, source: Source): SourceRow => ({
  tenant,
  id: source.id,
  name: source.name,
  description: source.description,
  authoritative: Number(source.authoritative),
  identity_profile: source.identityProfileId,
  correlation: JSON.stringify(source.correlation.map(({ account, identity }) => ({ account, identity }))),
  ignore_disabled: Number(source.ignoreDisabled),
  delete_threshold_percent: source.deleteThresholdPercent,
  groups_become: source.groups,
  created: source.created,
  modified: source.modified,
  last_load: source.lastLoad,
});

export const rowToSource = (row: SourceRow): Source => ({
  id: row.id,
  name: row.name,
  description: row.description,
  authoritative: row.authoritative === 1,
  identityProfileId: row.identity_profile,
  correlation: JSON.parse(row.correlation),
  ignoreDisabled: row.ignore_disabled === 1,
  deleteThresholdPercent: row.delete_threshold_percent,
  groups: row.groups_become as Source['groups'],
  created: row.created,
  modified: row.modified,
  lastLoad: row.last_load,
});

// The namespace of keys of accounts: any UUID, which never changes.
const NAMESPACE = Buffer.from('5b1f6f0a6c7d4d0e9a3e0c3c8f1d2b47', 'hex');

/** The key of an account: a UUID of version 5, the same in every database. */
export function accountKeyOf(source: string, id: string): string {
  const digest = hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(`${source} ${id}`)]), 'buffer').subarray(0, 16);
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  return digest.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** An account as it is stored. */
export interface StoredAccount extends Account {
  /** The number of the load that has seen it last; null where none has. */
  readonly seenByLoad: number | null;
  /** What a directory calls it, by SCIM; null for nothing. */
  readonly externalId: string | null;
  readonly created: string;
  /** When what its source says of it, or its identity, changed last. */
  readonly modified: string;
}

export const accountToRow = (tenant: string, account: StoredAccount): AccountRow => ({
  tenant,
  id: account.key,
  source_id: account.source,
  account_id: account.id,
  name: account.name,
  name_folded: toSmall(account.name),
  external_id: account.externalId,
  display_name: account.displayName,
  email: account.email,
  disabled: Number(account.disabled),
  identity_id: account.identityId,
  correlation: account.correlation,
  candidates: account.candidates.length === 0 ? null : JSON.stringify(account.candidates),
  made_identity_id: account.madeIdentityId,
  seen_by_load: account.seenByLoad,
  created: account.created,
  modified: account.modified,
  attributes: account.attributes === undefined ? null : JSON.stringify(account.attributes),
  access: packAccess(account.access),
});

export const rowToAccount = (row: AccountRow): StoredAccount => ({
  key: row.id,
  source: row.source_id,
  id: row.account_id,
  name: row.name,
  displayName: row.display_name,
  email: row.email,
  disabled: row.disabled === 1,
  identityId: row.identity_id,
  correlation: row.correlation as AccountCorrelation,
  candidates: row.candidates === null ? [] : JSON.parse(row.candidates),
  madeIdentityId: row.made_identity_id,
  seenByLoad: row.seen_by_load,
  externalId: row.external_id,
  created: row.created,
  modified: row.modified,
  ...(row.attributes === null ? {} : { attributes: JSON.parse(row.attributes) }),
  access: unpackAccess(row.access),
});
