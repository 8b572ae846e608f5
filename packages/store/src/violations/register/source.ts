import { hash } from 'node:crypto';
import { policyTermsOf, type SodPolicy } from '@access-admin/domain';
import { type Kysely, sql } from 'kysely';
import type { Database, Snapshot } from '../../engine/database.ts';
import { type IdentityException, keepOfPresent, selectApproved } from '../../exceptions/approved.ts';
import { findUnstoredVoid } from '../../exceptions/find-unstored.ts';
import { readPages } from '../../query/model-tables.ts';
import {
  createReportSource,
  type IdentityRange,
  type ReportIdentity,
  type ReportSource,
} from '../../reports/source.ts';
import { rowToSodPolicy } from '../../rulebook/policy-codec.ts';
import type { SodExceptionRow, Tables } from '../../schema/tables.ts';
import type { RegisterClaim } from './claim.ts';
import { COMPARED, rowToStored, type StoredViolation } from './present.ts';
import { type RegisterChanges, readChanges } from './read-changes.ts';

/** A policy as the register knows it. */
export interface KnownPolicy {
  readonly policyId: string;
  /** Equal for policies that the same access violates; empty for a policy that is not enforced. */
  readonly terms: string;
}

/** An identity with the revision that wrote it last. */
export interface RevisedIdentity extends ReportIdentity {
  readonly revision: number;
}

export interface ExceptionQuery {
  readonly endAfter: string;
  readonly policyIds: readonly string[] | null;
}

/** The data of a tenant and its register as of one instant. */
export interface RegisterSource extends ReportSource {
  readonly identityCount: number;
  changesSince(claim: RegisterClaim, now: string): Promise<RegisterChanges>;
  /** The identities of a range that were written or deleted after a revision. */
  changedIn(range: IdentityRange, revision: number): Promise<ReadonlySet<string>>;
  readIdentities(ids: readonly string[]): Promise<readonly RevisedIdentity[]>;
  /** The present violations of identities. */
  storedOf(identityIds: readonly string[]): Promise<readonly StoredViolation[]>;
  /** The present violations of a range of identities, of some policies or of all, in pages. */
  storedIn(range: IdentityRange, policyIds: readonly string[] | null): AsyncIterable<readonly StoredViolation[]>;
  /** The exceptions that the data make void, though that is not stored. */
  findVoid(now: string): Promise<ReadonlySet<string>>;
  /** The approved exceptions of identities, past, present and future, as `keepOfPresent` says. */
  exceptionsOf(identityIds: readonly string[]): Promise<readonly IdentityException[]>;
  /** Those of a range of identities, from some policies or from all, that end after an instant, in pages. */
  exceptionsIn(range: IdentityRange, query: ExceptionQuery): AsyncIterable<readonly IdentityException[]>;
  /** The stored next instants of identities. */
  dueOf(identityIds: readonly string[]): Promise<readonly { readonly identityId: string; readonly due: string }[]>;
  /** The stored next instants of a range of identities, in pages. */
  dueIn(range: IdentityRange): AsyncIterable<readonly { readonly identityId: string; readonly due: string }[]>;
  /** All policies, in pages. */
  allPolicies(): AsyncIterable<readonly KnownPolicy[]>;
  /** The policies among these ids that the register knows, by id; all that it knows for null. */
  knownPolicies(ids: readonly string[] | null): Promise<ReadonlyMap<string, KnownPolicy>>;
}

const PAGE_ROWS = 500;

export async function openRegisterSource(database: Database, tenant: string): Promise<RegisterSource> {
  const snapshot = await database.openSnapshot('work', tenant);
  const source = await createReportSource(snapshot, tenant);
  const { read } = snapshot;
  try {
    const row = await read((db) =>
      db.selectFrom('tenant').select('identity_count').where('tenant', '=', tenant).executeTakeFirst(),
    );
    const identityCount = row?.identity_count ?? 0;
    return {
      ...source,
      identityCount,
      changesSince: (claim, now) => readChanges(snapshot, source, { claim, now, identityCount }),
      ...readsOfIdentities(snapshot, tenant),
      findVoid: (now) => findUnstoredVoid(snapshot, { tenant, now }),
      exceptionsIn: (range, query) => readExceptions(snapshot, tenant, { range, ...query }),
      storedIn: (range, policyIds) => readStored(snapshot, tenant, { range, policyIds }),
      dueIn: (range) => readDue(snapshot, tenant, range),
      allPolicies: () => readAllPolicies(snapshot, tenant),
      knownPolicies: (ids) => read((db) => readKnownPolicies(db, tenant, ids)),
    };
  } catch (error) {
    await source[Symbol.asyncDispose]();
    throw error;
  }
}

type ReadsOfIdentities = Pick<RegisterSource, 'changedIn' | 'readIdentities' | 'storedOf' | 'exceptionsOf' | 'dueOf'>;

// PostgreSQL knows no empty list of values: nothing is read for no ids.
const readsOfIdentities = ({ read }: Snapshot, tenant: string): ReadsOfIdentities => ({
  changedIn: async ({ from, before }, revision) => {
    const changed = await read((db) => {
      const written = db
        .selectFrom('identity')
        .select('id')
        .where('tenant', '=', tenant)
        .where('revision', '>', revision)
        .where('id', '>=', from);
      const deleted = db
        .selectFrom('identity_deletion')
        .select('identity_id as id')
        .where('tenant', '=', tenant)
        .where('revision', '>', revision)
        .where('identity_id', '>=', from);
      return before === null
        ? written.union(deleted).execute()
        : written
            .where('id', '<', before)
            .union(deleted.where('identity_id', '<', before))
            .execute();
    });
    return new Set(changed.map(({ id }) => id));
  },
  readIdentities: async (ids) =>
    ids.length === 0
      ? []
      : read((db) =>
          db
            .selectFrom('identity')
            .select(['id', 'display_name as displayName', 'access', 'revision'])
            .where('tenant', '=', tenant)
            .where('id', 'in', ids)
            .execute(),
        ),
  storedOf: async (ids) => {
    if (ids.length === 0) return [];
    const rows = await read((db) => presentIn(db, tenant).where('identity_id', 'in', ids).execute());
    return rows.map(rowToStored);
  },
  exceptionsOf: async (ids) =>
    ids.length === 0
      ? []
      : keepOfPresent(
          { read },
          tenant,
          await read((db) => selectApproved(db, tenant).where('identity_id', 'in', ids).execute()),
        ),
  dueOf: async (ids) =>
    ids.length === 0
      ? []
      : read((db) =>
          db
            .selectFrom('register_due')
            .select(['identity_id as identityId', 'due'])
            .where('tenant', '=', tenant)
            .where('identity_id', 'in', ids)
            .execute(),
        ),
});

async function readKnownPolicies(
  db: Kysely<Tables>,
  tenant: string,
  ids: readonly string[] | null,
): Promise<ReadonlyMap<string, KnownPolicy>> {
  if (ids?.length === 0) return new Map();
  const all = db.selectFrom('register_policy').select(['policy_id as policyId', 'terms']).where('tenant', '=', tenant);
  const rows = await (ids === null ? all : all.where('policy_id', 'in', ids)).execute();
  return new Map(rows.map((policy) => [policy.policyId, policy]));
}

/** A policy as the register knows it. */
export const knownPolicyOf = (policy: SodPolicy): KnownPolicy => {
  const terms = policyTermsOf(policy);
  return { policyId: policy.id, terms: terms === '' ? '' : hash('sha256', terms, 'base64') };
};

const presentIn = (db: Kysely<Tables>, tenant: string) =>
  db
    .selectFrom('sod_violation')
    .select([...COMPARED, 'status'])
    .where('tenant', '=', tenant)
    .where('closed', 'is', null);

async function* readStored(
  { read }: Snapshot,
  tenant: string,
  { range, policyIds }: { readonly range: IdentityRange; readonly policyIds: readonly string[] | null },
): AsyncGenerator<readonly StoredViolation[]> {
  const inRange = (db: Kysely<Tables>) => {
    const query = presentIn(db, tenant).where('identity_id', '>=', range.from);
    return range.before === null ? query : query.where('identity_id', '<', range.before);
  };
  for (const policyId of policyIds ?? [null]) {
    for (let after = { identity_id: '', status: '', policy_id: '' }; ; ) {
      const rows = await read((db) => {
        const query = inRange(db).limit(PAGE_ROWS);
        if (policyId !== null)
          return query
            .where('policy_id', '=', policyId)
            .where('identity_id', '>', after.identity_id)
            .orderBy('identity_id')
            .execute();
        return query
          .where(
            sql<boolean>`(identity_id, status, policy_id) > (${after.identity_id}, ${after.status}, ${after.policy_id})`,
          )
          .orderBy('identity_id')
          .orderBy('status')
          .orderBy('policy_id')
          .execute();
      });
      yield rows.map(rowToStored);
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE_ROWS) break;
      after = last;
    }
  }
}

async function* readExceptions(
  { read }: Snapshot,
  tenant: string,
  { range, endAfter, policyIds }: ExceptionQuery & { readonly range: IdentityRange },
): AsyncGenerator<readonly IdentityException[]> {
  if (policyIds?.length === 0) return;
  for (let after: Pick<SodExceptionRow, 'identity_id' | 'id'> = { identity_id: range.from, id: '' }; ; ) {
    const rows = await read((db) => {
      let query = selectApproved(db, tenant)
        .where('ends', '>', endAfter)
        .where(sql<boolean>`(identity_id, id) > (${after.identity_id}, ${after.id})`);
      if (range.before !== null) query = query.where('identity_id', '<', range.before);
      if (policyIds !== null) query = query.where('policy_id', 'in', policyIds);
      return query.orderBy('identity_id').orderBy('id').limit(PAGE_ROWS).execute();
    });
    yield keepOfPresent({ read }, tenant, rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = last;
  }
}

async function* readDue({ read }: Snapshot, tenant: string, range: IdentityRange) {
  for (let after: string | null = null; ; ) {
    const rows: readonly { readonly identityId: string; readonly due: string }[] = await read((db) => {
      const all = db
        .selectFrom('register_due')
        .select(['identity_id as identityId', 'due'])
        .where('tenant', '=', tenant)
        .orderBy('identity_id')
        .limit(PAGE_ROWS);
      const rest = after === null ? all.where('identity_id', '>=', range.from) : all.where('identity_id', '>', after);
      return (range.before === null ? rest : rest.where('identity_id', '<', range.before)).execute();
    });
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = last.identityId;
  }
}

async function* readAllPolicies(snapshot: Snapshot, tenant: string): AsyncGenerator<readonly KnownPolicy[]> {
  for await (const rows of readPages(snapshot, 'sod_policy', tenant))
    yield rows.map((row) => knownPolicyOf(rowToSodPolicy(row)));
}
