import { type AccessRef, type Capability, foldUsername, type TimedAccessRef } from '@access-admin/domain';
import { type RawBuilder, sql } from 'kysely';
import { inParts } from '../../engine/concurrency/in-parts.ts';
import type { Database, Reads } from '../../engine/database.ts';
import { isOneOf } from '../../query/one-of.ts';
import { unpackAccess } from '../records/access-codec.ts';
import { findHaving } from '../records/find-holders.ts';
import { parseCapabilities } from '../records/identity-codec.ts';

/** What subjects are named and sorted by. */
export type SubjectKey = 'id' | 'uid';

/** An identity, what it holds, and the policy-set version of that. */
export interface Subject {
  readonly id: string;
  readonly uid: string;
  readonly access: readonly TimedAccessRef[];
  readonly policySetVersion: number;
}

/** Successive subjects in order of a key. */
export interface SubjectPart {
  readonly subjects: readonly Subject[];
  /** Whether there are no more. */
  readonly isLast: boolean;
}

/** Which subjects to read: those after a key. */
export interface SubjectReading {
  readonly tenant: string;
  readonly by: SubjectKey;
  readonly after: string;
}

/** Reads of the identities about which decisions are made. */
export interface SubjectStore {
  /** The id of the identity with a username, compared as at sign-in; null without one. */
  findByUsername(tenant: string, username: string): Promise<string | null>;
  /** Null where there is no such identity. */
  findCapabilities(tenant: string, id: string): Promise<readonly Capability[] | null>;
  /** The next ones, of at most about a MiB of access. */
  readNext(reading: SubjectReading, limit: number): Promise<SubjectPart>;
  /** All that have one of some assignments, and perhaps others; null for more than `HAVING_MAX`. */
  readHaving(reading: SubjectReading, refs: readonly AccessRef[]): Promise<readonly Subject[] | null>;
  /** The keys of the next ones that have a capability. */
  readCapable(reading: SubjectReading, capability: Capability, limit: number): Promise<readonly string[]>;
  /** Those of some identities that have an approved exception. */
  findExcepted(tenant: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Subjects that are few enough to be sorted for each page. */
const HAVING_MAX = 2_000;
/** Assignments that are few enough to be looked for. */
const REFS_MAX = 200;
// Access that is read at once, as it is stored.
const BYTES_AT_ONCE = 1024 * 1024;
const IDS_AT_ONCE = 250;

export function createSubjectStore(database: Database): SubjectStore {
  const { read } = database;
  return {
    findByUsername: (tenant, username) => findByUsername({ read }, tenant, username),
    findCapabilities: async (tenant, id) => {
      const row = await read((db) =>
        db
          .selectFrom('identity')
          .select('capabilities')
          .where('tenant', '=', tenant)
          .where('id', '=', id)
          .executeTakeFirst(),
      );
      return row === undefined ? null : parseCapabilities(row.capabilities);
    },
    readNext: (reading, limit) => readNext({ read }, reading, limit),
    readHaving: (reading, refs) => readHaving({ read }, reading, refs),
    readCapable: async ({ tenant, by, after }, capability, limit) => {
      const key = sql.ref(by);
      const { rows } = await read((db) =>
        sql<{ readonly key: string }>`select ${key} as key from identity
          where tenant = ${tenant} and capabilities <> '[]' and capabilities like ${`%"${capability}"%`} and ${key} > ${after}
          order by ${key} limit ${limit}`.execute(db),
      );
      return rows.map((row) => row.key);
    },
    findExcepted: async (tenant, ids) => {
      const { rows } = await read((db) =>
        sql<{ readonly identity_id: string }>`select distinct identity_id from sod_exception
          where tenant = ${tenant} and ${isOneOf(db, 'identity_id', ids)}
            and approved is not null and revoked is null and voided is null`.execute(db),
      );
      return new Set(rows.map(({ identity_id }) => identity_id));
    },
  };
}

async function findByUsername({ read }: Reads, tenant: string, username: string): Promise<string | null> {
  const folded = foldUsername(username);
  if (folded === null) return null;
  const rows = await read((db) =>
    db
      .selectFrom('identity')
      .select('id')
      .where('tenant', '=', tenant)
      .where('uid_folded', '=', folded)
      .limit(2)
      .execute(),
  );
  // While an import swaps usernames, two identities may have one.
  return rows.length === 1 ? (rows[0]?.id ?? null) : null;
}

async function readNext(reads: Reads, { tenant, by, after }: SubjectReading, limit: number): Promise<SubjectPart> {
  const key = sql.ref(by);
  const { rows: sizes } = await reads.read((db) =>
    sql<{
      readonly key: string;
      readonly size: number;
    }>`select ${key} as key, octet_length(access) as size from identity
      where tenant = ${tenant} and ${key} > ${after} order by ${key} limit ${limit}`.execute(db),
  );
  let count = 0;
  for (let bytes = 0; count < sizes.length; count++) {
    bytes += Number(sizes[count]?.size ?? 0);
    if (count > 0 && bytes > BYTES_AT_ONCE) break;
  }
  const last = sizes[count - 1];
  if (last === undefined) return { subjects: [], isLast: true };
  const subjects = await readSubjects(reads, { tenant, by }, sql`${key} > ${after} and ${key} <= ${last.key}`);
  return { subjects, isLast: count === sizes.length && sizes.length < limit };
}

async function readHaving(
  reads: Reads,
  { tenant, by, after }: SubjectReading,
  refs: readonly AccessRef[],
): Promise<readonly Subject[] | null> {
  if (refs.length > REFS_MAX) return null;
  const found = await findHaving(reads, { tenant, table: 'identity', most: HAVING_MAX }, refs);
  if (found.size > HAVING_MAX) return null;
  const subjects: Subject[] = [];
  for (const part of inParts(found, IDS_AT_ONCE)) {
    const some = sql.join(part);
    subjects.push(...(await readSubjects(reads, { tenant, by }, sql`id in (${some}) and ${sql.ref(by)} > ${after}`)));
  }
  return subjects.sort((one, other) => (one[by] < other[by] ? -1 : 1));
}

async function readSubjects(
  { read }: Reads,
  { tenant, by }: Pick<SubjectReading, 'tenant' | 'by'>,
  condition: RawBuilder<unknown>,
): Promise<readonly Subject[]> {
  const { rows } = await read((db) =>
    sql<{ readonly id: string; readonly uid: string; readonly access: string; readonly version: number }>`
      select id, uid, access,
        (select policy_set_version from tenant where tenant.tenant = ${tenant}) as version
      from identity where tenant = ${tenant} and ${condition} order by ${sql.ref(by)}`.execute(db),
  );
  return rows.map(({ id, uid, access, version }) => ({
    id,
    uid,
    access: unpackAccess(access),
    policySetVersion: version,
  }));
}
