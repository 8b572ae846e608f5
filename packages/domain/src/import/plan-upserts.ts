import { withoutDuplicates } from '../access/model/assignments.ts';
import { externalDataOf } from '../access/model/attributes.ts';
import { uniqueGrants } from '../access/model/grants.ts';
import type { AccessProfile, Entitlement, Identity, IdentityProfile, Role } from '../access/model/records.ts';
import { completeSource } from '../access/sources/source.ts';
import { FIRST_AUTH_PROFILE } from '../administration/auth-profile.ts';
import { equalJson } from '../basics/json-patch/value.ts';
import { completeControl } from '../governance/controls/change.ts';
import { mapSides, type SodCriteria, type SodPolicy, sidesOf } from '../policies/model.ts';
import type { InPieces } from './in-pieces.ts';
import type {
  AccountOfImport,
  IdentityProfileFields,
  ImportBase,
  ImportPlan,
  RecordByKind,
  StoredKind,
} from './records.ts';
import { type LastRecords, type UpsertOf, upsertsOf } from './references.ts';

/** The effective records of an import, the stored data that they depend on, and the time (ISO 8601) and the author of the change. */
export interface UpsertRequest {
  readonly last: LastRecords;
  readonly base: ImportBase;
  readonly now: string;
  readonly author: string;
}

/** The complete records that an import writes: the upserts that differ from the stored records. */
export function* planUpserts({ last, base: { stored }, now, author }: UpsertRequest): InPieces<ImportPlan['upserts']> {
  function* changed<K extends StoredKind>(
    kind: K,
    complete: (fields: UpsertOf<K>, before: RecordByKind[K] | undefined) => RecordByKind[K],
  ): InPieces<RecordByKind[K][]> {
    const records: RecordByKind[K][] = [];
    for (const fields of upsertsOf(last, kind)) {
      const before = stored[kind].get(fields.id);
      const record = complete(fields, before);
      if (!equalJson(record, before)) records.push(record);
      yield;
    }
    return records;
  }
  return {
    entitlement: yield* changed('entitlement', toEntitlement),
    accessProfile: yield* changed('accessProfile', toAccessProfile),
    role: yield* changed('role', toRole),
    identityProfile: yield* changed('identityProfile', toIdentityProfile),
    source: yield* changed('source', (fields, before) => completeSource(fields, before ?? null, now)),
    identity: yield* changed('identity', toIdentity),
    account: yield* changed('account', toAccount),
    sodPolicy: yield* changed('sodPolicy', (fields, before) => toSodPolicy(fields, before, { now, author })),
    control: yield* changed('control', (fields, before) => completeControl(fields, before ?? null, now)),
  };
}

const toEntitlement = ({ id, name, source, grants = [], ...external }: Entitlement): Entitlement => ({
  id,
  name,
  source,
  ...(grants.length === 0 ? {} : { grants: uniqueGrants(grants) }),
  ...externalDataOf(external),
});

const toAccessProfile = ({ id, name, entitlements, ...external }: AccessProfile): AccessProfile => ({
  id,
  name,
  entitlements: [...new Set(entitlements)],
  ...externalDataOf(external),
});

const toRole = ({ id, name, accessProfiles, entitlements, ...external }: Role): Role => ({
  id,
  name,
  accessProfiles: [...new Set(accessProfiles)],
  entitlements: [...new Set(entitlements)],
  ...externalDataOf(external),
});

function toIdentityProfile(fields: IdentityProfileFields, stored: IdentityProfile | undefined): IdentityProfile {
  const authProfile = { ...(stored?.authProfile ?? FIRST_AUTH_PROFILE), ...fields.authProfile };
  return { id: fields.id, name: fields.name, authProfile };
}

const toAccount = (
  { kind: _, attributes, manual, madeIdentityId, ...fields }: UpsertOf<'account'>,
  stored: AccountOfImport | undefined,
): AccountOfImport => ({
  ...fields,
  ...externalDataOf(attributes === undefined ? {} : { attributes }),
  manual: manual === undefined ? (stored?.manual ?? null) : manual,
  madeIdentityId: madeIdentityId === undefined ? (stored?.madeIdentityId ?? null) : madeIdentityId,
  access: withoutDuplicates(fields.access),
});

function toIdentity(
  { kind: _, attributes, externalId, ...fields }: UpsertOf<'identity'>,
  stored: Identity | undefined,
): Identity {
  const external = {
    attributes: attributes ?? stored?.attributes ?? {},
    externalId: externalId === undefined ? (stored?.externalId ?? null) : externalId,
  };
  return {
    ...fields,
    ...externalDataOf(external),
    active: fields.active ?? stored?.active ?? true,
    capabilities: fields.capabilities ?? stored?.capabilities ?? [],
    access: withoutDuplicates(fields.access ?? stored?.access ?? []),
  };
}

function toSodPolicy(
  { kind: _, ...fields }: UpsertOf<'sodPolicy'>,
  stored: SodPolicy | undefined,
  { now, author }: Pick<UpsertRequest, 'now' | 'author'>,
): SodPolicy {
  const conflictingAccessCriteria = mapSides(fields.conflictingAccessCriteria, withNames(storedNames(stored)));
  const { created, modified, creatorId, modifierId } = stored ?? {
    created: now,
    modified: now,
    creatorId: author,
    modifierId: author,
  };
  const ownerRef = fields.ownerRef && { ...fields.ownerRef, name: null };
  const policy = { ...fields, conflictingAccessCriteria, ownerRef, creatorId, modifierId, created, modified };
  return equalJson(policy, stored) ? policy : { ...policy, modified: now, modifierId: author };
}

/** The stored names of the items of a policy by id. */
function storedNames(stored: SodPolicy | undefined): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { criteriaList } of stored === undefined ? [] : sidesOf(stored.conflictingAccessCriteria))
    for (const { id, name } of criteriaList) if (name != null) names.set(id, name);
  return names;
}

/** A name that is left out stays as it is stored, or is null: names are informative, and leaving one out changes nothing. */
const withNames =
  (stored: ReadonlyMap<string, string>) =>
  ({ name, criteriaList }: SodCriteria): SodCriteria => ({
    name,
    criteriaList: criteriaList.map((item) => ({
      type: item.type,
      id: item.id,
      name: item.name ?? stored.get(item.id) ?? null,
    })),
  });
