import {
  type AccessRef,
  type AssignedRef,
  EXPLAINING_ADVICE_BYTES_MAX,
  EXPLAINING_BUNDLES_BYTES_MAX,
  type Explanation,
  type PolicyAdvice,
  type SodInclude,
  type TimedAccessRef,
} from '@access-admin/domain';
import { type Kysely, sql } from 'kysely';
import { unpackAccess } from '../../access/records/access-codec.ts';
import { rowToAccessProfile, rowToRole } from '../../access/records/catalogue-codec.ts';
import { readGrantingAccounts } from '../../access/sources/read.ts';
import { inParts } from '../../engine/concurrency/in-parts.ts';
import { createPauses } from '../../engine/concurrency/pauses.ts';
import type { Database, Snapshot } from '../../engine/database.ts';
import { readMatches } from '../../query/model-tables.ts';
import type { Tables } from '../../schema/tables.ts';
import { readRulebookVersion } from './change-log.ts';
import type { IdentityVersion } from './versions.ts';

const CHUNK_IDS = 500;

/** A request to explain violations of these policies, predicted for an identity with these access refs. */
export interface ExplanationRequest {
  readonly identityId: string;
  readonly accessRefs: readonly TimedAccessRef[];
  /** What was requested before; nothing if left out. */
  readonly pendingRefs?: readonly TimedAccessRef[];
  readonly policyIds: readonly string[];
  /** The version that the prediction was made on. */
  readonly version: IdentityVersion;
  /** What is to be explained: without `via` the assignments are enough. Everything if left out. */
  readonly includes?: readonly SodInclude[];
  /** Tests set lower ones. */
  readonly bounds?: ExplanationBounds;
}

/** The bounds of an explanation, in bytes as stored. */
interface ExplanationBounds {
  readonly bundlesBytesMax: number;
  readonly adviceBytesMax: number;
}

const BOUNDS: ExplanationBounds = {
  bundlesBytesMax: EXPLAINING_BUNDLES_BYTES_MAX,
  adviceBytesMax: EXPLAINING_ADVICE_BYTES_MAX,
};

/**
 * Null unless the identity and the rulebook have the version of the request; `tooLarge` when roles and access profiles are
 * larger than their bound. Advice is read of as many policies, from the first one on, as its bound allows.
 */
export async function readExplanation(
  database: Database,
  tenant: string,
  request: ExplanationRequest,
): Promise<Explanation | 'tooLarge' | null> {
  await using snapshot = await database.openSnapshot('load', tenant);
  const assignments = await snapshot.read((db) => readAssignments(db, tenant, request));
  if (assignments === null) return null;
  const { accessRefs: requested, pendingRefs: pending = [], policyIds, includes, bounds = BOUNDS } = request;
  const access = { assignments, pending, requested };
  if (includes?.includes('via') === false)
    return { ...access, roles: new Map(), accessProfiles: new Map(), advice: new Map() };
  const refs = [...assignments, ...pending, ...requested];
  const roleReads = { table: 'role', tenant, decode: rowToRole, columns: ['access_profiles', 'entitlements'] } as const;
  const roles = await readById(snapshot, { ...roleReads, bytesMax: bounds.bundlesBytesMax }, idsOf(refs, 'ROLE'));
  if (roles === null) return 'tooLarge';
  const profileIds = idsOf(refs, 'ACCESS_PROFILE');
  for (const { accessProfiles } of roles.found.values()) for (const id of accessProfiles) profileIds.add(id);
  const profileReads = {
    table: 'access_profile',
    tenant,
    decode: rowToAccessProfile,
    columns: ['entitlements'],
  } as const;
  const bytesMax = bounds.bundlesBytesMax - roles.bytes;
  const profiles = await readById(snapshot, { ...profileReads, bytesMax }, profileIds);
  if (profiles === null) return 'tooLarge';
  const advice = await readAdvice(snapshot, { tenant, bytesMax: bounds.adviceBytesMax }, policyIds);
  return { ...access, roles: roles.found, accessProfiles: profiles.found, ...advice };
}

async function readAssignments(
  db: Kysely<Tables>,
  tenant: string,
  { identityId, version }: ExplanationRequest,
): Promise<readonly AssignedRef[] | null> {
  const { policySetVersion, changeId } = await readRulebookVersion(db, tenant);
  if (policySetVersion !== version.policySetVersion || changeId !== version.changeId) return null;
  const identity = await db
    .selectFrom('identity')
    .select(['revision', 'access', 'own_access'])
    .where('tenant', '=', tenant)
    .where('id', '=', identityId)
    .executeTakeFirst();
  if (identity?.revision !== version.revision) return null;
  const accounts = await readGrantingAccounts(db, tenant, identityId);
  return [
    ...unpackAccess(identity.own_access ?? identity.access),
    ...accounts.flatMap(({ key, source, name, access }) => {
      const account = { type: 'ACCOUNT', id: key, name, source } as const;
      return access.map((ref): AssignedRef => ({ ...ref, account }));
    }),
  ];
}

const idsOf = (refs: readonly AccessRef[], type: AccessRef['type']): Set<string> =>
  new Set(refs.flatMap((ref) => (ref.type === type ? [ref.id] : [])));

interface Bundles<T extends 'role' | 'access_profile', R> {
  readonly table: T;
  readonly tenant: string;
  readonly decode: (row: Tables[T]) => R;
  /** The columns that can be large. */
  readonly columns: readonly string[];
  readonly bytesMax: number;
}

interface FoundBundles<R> {
  readonly found: ReadonlyMap<string, R>;
  readonly bytes: number;
}

/** Null when the large columns have more bytes than permitted: then none of them is read. */
async function readById<T extends 'role' | 'access_profile', R extends { readonly id: string }>(
  { read }: Snapshot,
  { table, tenant, decode, columns, bytesMax }: Bundles<T, R>,
  ids: ReadonlySet<string>,
): Promise<FoundBundles<R> | null> {
  const pause = createPauses();
  const found = new Map<string, R>();
  const bytes = await read((db) => countBytes(db, { table, tenant, columns }, [...ids]));
  if (bytes > bytesMax) return null;
  await read(async (db) => {
    for await (const rows of readMatches(db, { table, tenant }, ids)) {
      for (const row of rows) {
        const record = decode(row);
        found.set(record.id, record);
        await pause();
      }
    }
  });
  return { found, bytes };
}

async function countBytes(
  db: Kysely<Tables>,
  { table, tenant, columns }: { readonly table: string; readonly tenant: string; readonly columns: readonly string[] },
  ids: readonly string[],
): Promise<number> {
  const sizes = columns.map((column) => sql`octet_length(${sql.ref(column)})`);
  let bytes = 0;
  for (const some of inParts(ids, CHUNK_IDS)) {
    const chunk = sql.join(some);
    const { rows } = await sql<{ readonly bytes: number | string | null }>`
      select sum(${sql.join(sizes, sql` + `)}) as bytes from ${sql.table(table)} where tenant = ${tenant} and id in (${chunk})
    `.execute(db);
    bytes += Number(rows[0]?.bytes ?? 0);
  }
  return bytes;
}

async function readAdvice(
  { read }: Snapshot,
  { tenant, bytesMax }: { readonly tenant: string; readonly bytesMax: number },
  policyIds: readonly string[],
): Promise<Pick<Explanation, 'advice' | 'advisedCount'>> {
  const pause = createPauses();
  const advice = new Map<string, PolicyAdvice>();
  let bytes = 0;
  for (const ids of inParts(policyIds, CHUNK_IDS)) {
    const rows = await read((db) =>
      db
        .selectFrom('sod_policy')
        .select(['id', 'correction_advice', 'compensating_controls'])
        .where('tenant', '=', tenant)
        .where('id', 'in', ids)
        .execute(),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const id of ids) {
      const row = byId.get(id);
      const found = {
        correctionAdvice: row?.correction_advice ?? null,
        compensatingControls: row?.compensating_controls ?? null,
      };
      bytes += Buffer.byteLength(found.correctionAdvice ?? '') + Buffer.byteLength(found.compensatingControls ?? '');
      if (bytes > bytesMax) return { advice, advisedCount: advice.size };
      advice.set(id, found);
    }
    await pause();
  }
  return { advice };
}
