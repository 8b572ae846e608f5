import type { SodPolicy } from '@access-admin/domain';
import { type Kysely, sql } from 'kysely';
import { rowToRole } from '../../access/records/catalogue-codec.ts';
import { inParts } from '../../engine/concurrency/in-parts.ts';
import { createPauses } from '../../engine/concurrency/pauses.ts';
import type { Database, Reads, Snapshot } from '../../engine/database.ts';
import { rowToSodPolicy } from '../../policies/rulebook/policy-codec.ts';
import type { RulebookVersion } from '../../policies/rulebook/versions.ts';
import { readMatches, readPages } from '../../query/model-tables.ts';
import { countRows } from '../../query/total.ts';
import type { SodExceptionRow, Tables } from '../../schema/tables.ts';
import { type IdentityException, keepOfPresent, selectApproved } from '../exceptions/approved.ts';

/** The data of an identity for reports. Read `access` with `eachAssignment`. */
export interface ReportIdentity {
  readonly id: string;
  readonly displayName: string | null;
  readonly access: string;
}

/** Identities with ids from `from` up to but not including `before`; to the end when that is null. */
export interface IdentityRange {
  readonly from: string;
  readonly before: string | null;
}

/** A policy with the digest of the terms that an exception from it is approved for. */
export interface StoredPolicy extends SodPolicy {
  readonly terms: string;
}

/** The version of all data of a tenant that violations depend on. */
export interface DataVersion {
  readonly version: RulebookVersion;
  /** Grows whenever an identity is written or deleted. */
  readonly identityRevision: number;
  /** When the tenant was created, which tells it from an earlier one of its name; null where that is not known. */
  readonly tenantCreated: string | null;
}

/** The data of a tenant as of one instant. It may be disposed of twice. */
export interface ReportSource extends DataVersion, AsyncDisposable {
  countIdentities(range?: IdentityRange): Promise<number>;
  /** The existing policies among these ids, in no order. Ask for a few at a time: each can have some KB. */
  readPolicies(ids: readonly string[]): Promise<readonly StoredPolicy[]>;
  /** The roles that have this access profile. */
  rolesWith(accessProfileId: string): Promise<ReadonlySet<string>>;
  /** The identities by id, in pages. */
  identities(range: IdentityRange): AsyncIterable<readonly ReportIdentity[]>;
  /** The ids alone, in order. */
  identityIds(range: IdentityRange): AsyncIterable<readonly Pick<ReportIdentity, 'id'>[]>;
  /** The identities written after this revision, in no order, in pages; null when there are more than `max`. */
  identitiesSince(revision: number, max: number): Promise<AsyncIterable<readonly ReportIdentity[]> | null>;
  /** The approved exceptions that end after this instant, in pages, as `keepOfPresent` says. */
  approvedExceptions(instant: string): AsyncIterable<readonly IdentityException[]>;
}

export async function openReportSource(database: Database, tenant: string): Promise<ReportSource> {
  const snapshot = await database.openSnapshot('work', tenant);
  return createReportSource(snapshot, tenant);
}

/** The data of a snapshot, which is closed with the source, or if reading fails. */
export async function createReportSource(snapshot: Snapshot, tenant: string): Promise<ReportSource> {
  try {
    return {
      ...(await readDataVersion(snapshot, tenant)),
      countIdentities: (range = ALL_IDENTITIES) => countIdentities(snapshot, tenant, range),
      readPolicies: async (ids) => {
        const found: StoredPolicy[] = [];
        await snapshot.read(async (db) => {
          found.length = 0;
          for await (const rows of readMatches(db, { table: 'sod_policy', tenant }, new Set(ids)))
            found.push(...rows.map((row) => ({ ...rowToSodPolicy(row), terms: row.terms })));
        });
        return found;
      },
      rolesWith: async (accessProfileId) => {
        const pause = createPauses();
        const roles = new Set<string>();
        for await (const rows of readPages(snapshot, 'role', tenant)) {
          for (const row of rows) if (rowToRole(row).accessProfiles.includes(accessProfileId)) roles.add(row.id);
          await pause();
        }
        return roles;
      },
      identities: (range) =>
        pagesOf(range, {
          size: PAGE_ROWS,
          readPage: (rest, limit) =>
            snapshot.read((db) => identitiesIn(db, tenant, rest).select(COLUMNS).orderBy('id').limit(limit).execute()),
        }),
      identityIds: (range) =>
        pagesOf(range, {
          size: PAGE_IDS,
          readPage: (rest, limit) =>
            snapshot.read((db) => identitiesIn(db, tenant, rest).select('id').orderBy('id').limit(limit).execute()),
        }),
      identitiesSince: (revision, max) => readIdentitiesSince(snapshot, tenant, { revision, max }),
      approvedExceptions: (instant) => readApprovedExceptions(snapshot, tenant, instant),
      [Symbol.asyncDispose]: () => snapshot[Symbol.asyncDispose](),
    };
  } catch (error) {
    await snapshot[Symbol.asyncDispose]();
    throw error;
  }
}

/** The version of the data of a tenant, in one statement. */
export async function readDataVersion({ read }: Reads, tenant: string): Promise<DataVersion> {
  const row = await read((db) =>
    db
      .selectFrom('tenant')
      .leftJoin('rulebook_change as change', (join) =>
        join
          .onRef('change.tenant', '=', 'tenant.tenant')
          .onRef('change.policy_set_version', '=', 'tenant.policy_set_version'),
      )
      .select(['tenant.policy_set_version', 'tenant.identity_revision', 'tenant.created', 'change.change_id'])
      .where('tenant.tenant', '=', tenant)
      .executeTakeFirst(),
  );
  return {
    version: { policySetVersion: row?.policy_set_version ?? 0, changeId: row?.change_id ?? null },
    identityRevision: row?.identity_revision ?? 0,
    tenantCreated: row?.created ?? null,
  };
}

const ALL_IDENTITIES: IdentityRange = { from: '', before: null };

// A page is read and evaluated in some milliseconds.
const PAGE_ROWS = 100;
const PAGE_IDS = 5_000;
const COLUMNS = ['id', 'display_name as displayName', 'access'] as const;

/** The unread rest of a range. */
interface Rest extends IdentityRange {
  readonly after?: string;
}

const identitiesIn = (db: Kysely<Tables>, tenant: string, { from, before, after }: Rest) => {
  const all = db.selectFrom('identity').where('tenant', '=', tenant);
  const query = after === undefined ? all.where('id', '>=', from) : all.where('id', '>', after);
  return before === null ? query : query.where('id', '<', before);
};

async function countIdentities({ read }: Snapshot, tenant: string, range: IdentityRange): Promise<number> {
  return read((db) => countRows(identitiesIn(db, tenant, range)));
}

/** The rows of a range in pages. */
export async function* pagesOf<R extends { readonly id: string }>(
  range: IdentityRange,
  {
    size,
    readPage,
  }: { readonly size: number; readonly readPage: (rest: Rest, limit: number) => Promise<readonly R[]> },
): AsyncGenerator<readonly R[]> {
  for (let rest: Rest = range; ; ) {
    const rows = await readPage(rest, size);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    rest = { ...range, after: last.id };
  }
}

async function readIdentitiesSince(
  { read }: Snapshot,
  tenant: string,
  { revision, max }: { readonly revision: number; readonly max: number },
): Promise<AsyncIterable<readonly ReportIdentity[]> | null> {
  const rows = await read((db) =>
    db
      .selectFrom('identity')
      .select('id')
      .where('tenant', '=', tenant)
      .where('revision', '>', revision)
      .limit(max + 1)
      .execute(),
  );
  if (rows.length > max) return null;
  const ids = rows.map(({ id }) => id);
  return readIdentitiesOf({ read }, tenant, ids);
}

async function* readIdentitiesOf(
  { read }: Pick<Snapshot, 'read'>,
  tenant: string,
  ids: readonly string[],
): AsyncGenerator<readonly ReportIdentity[]> {
  for (const some of inParts(ids, PAGE_ROWS)) {
    yield await read((db) =>
      db.selectFrom('identity').select(COLUMNS).where('tenant', '=', tenant).where('id', 'in', some).execute(),
    );
  }
}

const PAGE_EXCEPTIONS = 500;

async function* readApprovedExceptions(
  snapshot: Snapshot,
  tenant: string,
  instant: string,
): AsyncGenerator<readonly IdentityException[]> {
  for (let after: Pick<SodExceptionRow, 'ends' | 'id'> = { ends: instant, id: LAST_ID }; ; ) {
    const { ends, id } = after;
    const rows = await snapshot.read((db) =>
      selectApproved(db, tenant)
        .where(sql<boolean>`(ends, id) > (${ends}, ${id})`)
        .orderBy('ends')
        .orderBy('id')
        .limit(PAGE_EXCEPTIONS)
        .execute(),
    );
    yield keepOfPresent(snapshot, tenant, rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_EXCEPTIONS) return;
    after = last;
  }
}

// The last character there is: sorts after every id, so that exceptions that end at the instant itself are left out.
const LAST_ID = '\u{10ffff}';
