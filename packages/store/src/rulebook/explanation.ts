import type { AccessRef, Explanation, PolicyAdvice, TimedAccessRef } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import { createBreather } from '../concurrency/breather.ts';
import type { Database, Snapshot } from '../engine/database.ts';
import { unpackAccess } from '../rows/access-codec.ts';
import { rowToAccessProfile, rowToRole } from '../rows/catalogue-codec.ts';
import { readMatches } from '../rows/model-tables.ts';
import type { Tables } from '../schema/tables.ts';
import { readRulebookVersion } from './change-log.ts';
import type { IdentityVersion } from './versions.ts';

const CHUNK_IDS = 500;

/** A request to explain violations of these policies, predicted for an identity with these access refs. */
export interface ExplanationRequest {
  readonly identityId: string;
  readonly accessRefs: readonly TimedAccessRef[];
  readonly policyIds: readonly string[];
  /** The version that the prediction was made on. */
  readonly version: IdentityVersion;
}

/** Null unless the identity and the rulebook have the version of the request. */
export async function readExplanation(
  database: Database,
  tenant: string,
  request: ExplanationRequest,
): Promise<Explanation | null> {
  await using snapshot = await database.openSnapshot('load');
  const assignments = await snapshot.read((db) => readAssignments(db, tenant, request));
  if (assignments === null) return null;
  const { accessRefs: requested, policyIds } = request;
  const refs = [...assignments, ...requested];
  const roles = await readById(snapshot, { table: 'role', tenant, decode: rowToRole }, idsOf(refs, 'ROLE'));
  const profileIds = idsOf(refs, 'ACCESS_PROFILE');
  for (const { accessProfiles } of roles.values()) for (const id of accessProfiles) profileIds.add(id);
  const profiles = { table: 'access_profile', tenant, decode: rowToAccessProfile } as const;
  const accessProfiles = await readById(snapshot, profiles, profileIds);
  return { assignments, requested, roles, accessProfiles, advice: await readAdvice(snapshot, tenant, policyIds) };
}

async function readAssignments(
  db: Kysely<Tables>,
  tenant: string,
  { identityId, version }: ExplanationRequest,
): Promise<readonly TimedAccessRef[] | null> {
  const { policySetVersion, changeId } = await readRulebookVersion(db, tenant);
  if (policySetVersion !== version.policySetVersion || changeId !== version.changeId) return null;
  const identity = await db
    .selectFrom('identity')
    .select(['revision', 'access'])
    .where('tenant', '=', tenant)
    .where('id', '=', identityId)
    .executeTakeFirst();
  return identity?.revision === version.revision ? unpackAccess(identity.access) : null;
}

const idsOf = (refs: readonly AccessRef[], type: AccessRef['type']): Set<string> =>
  new Set(refs.flatMap((ref) => (ref.type === type ? [ref.id] : [])));

interface Bundles<T extends 'role' | 'access_profile', R> {
  readonly table: T;
  readonly tenant: string;
  readonly decode: (row: Tables[T]) => R;
}

async function readById<T extends 'role' | 'access_profile', R extends { readonly id: string }>(
  { read }: Snapshot,
  { table, tenant, decode }: Bundles<T, R>,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, R>> {
  const breathe = createBreather();
  const found = new Map<string, R>();
  await read(async (db) => {
    for await (const rows of readMatches(db, { table, tenant }, ids)) {
      for (const row of rows) {
        const record = decode(row);
        found.set(record.id, record);
        await breathe();
      }
    }
  });
  return found;
}

async function readAdvice(
  { read }: Snapshot,
  tenant: string,
  policyIds: readonly string[],
): Promise<ReadonlyMap<string, PolicyAdvice>> {
  const breathe = createBreather();
  const advice = new Map<string, PolicyAdvice>();
  for (let start = 0; start < policyIds.length; start += CHUNK_IDS) {
    const rows = await read((db) =>
      db
        .selectFrom('sod_policy')
        .select(['id', 'correction_advice', 'compensating_controls'])
        .where('tenant', '=', tenant)
        .where('id', 'in', policyIds.slice(start, start + CHUNK_IDS))
        .execute(),
    );
    for (const { id, correction_advice: correctionAdvice, compensating_controls: compensatingControls } of rows)
      advice.set(id, { correctionAdvice, compensatingControls });
    await breathe();
  }
  return advice;
}
