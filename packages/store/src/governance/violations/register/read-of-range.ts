import { type Kysely, sql } from 'kysely';
import type { Snapshot } from '../../../engine/database.ts';
import type { Tables } from '../../../schema/tables.ts';
import { type ApprovedRow, type IdentityException, keepOfPresent, selectApproved } from '../../exceptions/approved.ts';
import type { IdentityRange } from '../../reports/source.ts';
import { rowToStored, type StoredDue, type StoredRow, type StoredViolation, selectStored } from './present.ts';

/** Reads of a range of identities that are compared all at once. Pages may be empty. */
export interface RangeReads {
  /** The identities that were written or deleted after a revision. */
  changedIn(range: IdentityRange, revision: number): Promise<ReadonlySet<string>>;
  /** The present violations, of some policies, or of all of them for null. */
  storedIn(range: IdentityRange, policyIds: readonly string[] | null): AsyncIterable<readonly StoredViolation[]>;
  /** The approved exceptions from some policies, or from all of them for null, that end after an instant. */
  exceptionsIn(
    range: IdentityRange,
    query: { readonly endAfter: string; readonly policyIds: readonly string[] | null },
  ): AsyncIterable<readonly IdentityException[]>;
  dueIn(range: IdentityRange): AsyncIterable<readonly StoredDue[]>;
}

export const readsOfRange = (snapshot: Snapshot, tenant: string): RangeReads => ({
  changedIn: async (range, revision) => {
    const changed = await snapshot.read((db) => {
      const written = db.selectFrom('identity').select('id').where('tenant', '=', tenant).where(within('id', range));
      const deleted = db
        .selectFrom('identity_deletion')
        .select('identity_id as id')
        .where('tenant', '=', tenant)
        .where(within('identity_id', range));
      return written
        .where('revision', '>', revision)
        .union(deleted.where('revision', '>', revision))
        .execute();
    });
    return new Set(changed.map(({ id }) => id));
  },
  storedIn: (range, policyIds) =>
    policyIds === null ? readStored(snapshot, tenant, range) : readStoredOf(snapshot, tenant, { range, policyIds }),
  exceptionsIn: (range, { endAfter, policyIds }) => readExceptions(snapshot, tenant, { range, endAfter, policyIds }),
  dueIn: (range) =>
    inPages<StoredDue>(snapshot, (db, last) =>
      db
        .selectFrom('register_due')
        .select(['identity_id as identityId', 'due'])
        .where('tenant', '=', tenant)
        .where(within('identity_id', range, last?.identityId))
        .orderBy('identity_id')
        .limit(PAGE_ROWS)
        .execute(),
    ),
});

const PAGE_ROWS = 500;

/** Pages of rows, each after the last row of the page before. */
async function* inPages<Row>(
  { read }: Snapshot,
  readAfter: (db: Kysely<Tables>, last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let last: Row | undefined; ; ) {
    const after = last;
    const rows = await read((db) => readAfter(db, after));
    yield rows;
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1);
  }
}

type IdColumn = 'id' | 'identity_id';

/** In the range and after an id. There is one lower bound, because SQLite searches an index by one alone. */
const within = (column: IdColumn, range: IdentityRange, after?: string) =>
  sql<boolean>`${sql.ref(column)} ${after === undefined ? sql`>= ${range.from}` : sql`> ${after}`}
    ${endOf(column, range)}`;

const endOf = (column: IdColumn, { before }: IdentityRange) =>
  before === null ? sql`` : sql`and ${sql.ref(column)} < ${before}`;

async function* readStored(
  snapshot: Snapshot,
  tenant: string,
  range: IdentityRange,
): AsyncGenerator<readonly StoredViolation[]> {
  const pages = inPages<StoredRow>(snapshot, (db, last) => {
    const { identity_id, status, policy_id } = last ?? { identity_id: range.from, status: '', policy_id: '' };
    const after = sql`(${identity_id}, ${status}, ${policy_id})`;
    return selectStored(db, tenant)
      .where(sql<boolean>`(identity_id, status, policy_id) > ${after} ${endOf('identity_id', range)}`)
      .orderBy('identity_id')
      .orderBy('status')
      .orderBy('policy_id')
      .limit(PAGE_ROWS)
      .execute();
  });
  for await (const rows of pages) yield rows.map(rowToStored);
}

interface OfPolicies {
  readonly range: IdentityRange;
  readonly policyIds: readonly string[];
}

async function* readStoredOf(
  snapshot: Snapshot,
  tenant: string,
  { range, policyIds }: OfPolicies,
): AsyncGenerator<readonly StoredViolation[]> {
  for (const policyId of policyIds) {
    const pages = inPages<StoredRow>(snapshot, (db, last) =>
      selectStored(db, tenant)
        .where('policy_id', '=', policyId)
        .where(within('identity_id', range, last?.identity_id))
        .orderBy('identity_id')
        .limit(PAGE_ROWS)
        .execute(),
    );
    for await (const rows of pages) yield rows.map(rowToStored);
  }
}

interface OfExceptions {
  readonly range: IdentityRange;
  readonly endAfter: string;
  readonly policyIds: readonly string[] | null;
}

async function* readExceptions(
  snapshot: Snapshot,
  tenant: string,
  { range, endAfter, policyIds }: OfExceptions,
): AsyncGenerator<readonly IdentityException[]> {
  if (policyIds?.length === 0) return;
  const pages = inPages<ApprovedRow>(snapshot, (db, last) => {
    const query = selectApproved(db, tenant)
      .where('ends', '>', endAfter)
      .where(
        sql<boolean>`(identity_id, id) > (${last?.identity_id ?? range.from}, ${last?.id ?? ''})
          ${endOf('identity_id', range)}`,
      )
      .orderBy('identity_id')
      .orderBy('id')
      .limit(PAGE_ROWS);
    return (policyIds === null ? query : query.where('policy_id', 'in', policyIds)).execute();
  });
  for await (const rows of pages) yield keepOfPresent(snapshot, tenant, rows);
}
