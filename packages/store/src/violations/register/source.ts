import { hash } from 'node:crypto';
import { levelRankOf, policyTermsOf, type SodPolicy } from '@access-admin/domain';
import { type Kysely, sql } from 'kysely';
import type { Database, Snapshot } from '../../engine/database.ts';
import { findUnstoredVoid } from '../../exceptions/find-unstored.ts';
import { readPages } from '../../query/model-tables.ts';
import {
  createReportSource,
  type IdentityException,
  type IdentityRange,
  type ReportIdentity,
  type ReportSource,
} from '../../reports/source.ts';
import { rowToSodPolicy } from '../../rulebook/policy-codec.ts';
import type { Tables } from '../../schema/tables.ts';
import { type RegisterChanges, readChanges } from './changes.ts';
import { type KnownPolicy, latestUsual, type RegisterClaim } from './claim.ts';
import { readRegisterState } from './head.ts';
import { COMPARED, rowToStored, type StoredViolation } from './present.ts';

export interface ExceptionQuery {
  readonly endAfter: string;
  readonly policyIds: readonly string[] | null;
}

/** The data of a tenant and its register as of one instant. */
export interface RegisterSource extends ReportSource {
  readonly identityCount: number;
  /**
   * Makes all further reads of this source as of the present, and describes that: the returned source shares its reads and ends with it. Null
   * where a source may stay open for long.
   */
  readonly renew: (() => Promise<RegisterSource>) | null;
  changesSince(claim: RegisterClaim, now: string): Promise<RegisterChanges>;
  readIdentities(ids: readonly string[]): Promise<readonly ReportIdentity[]>;
  /** The present violations of identities, with what the present round has staged, as in the next one. */
  storedOf(identityIds: readonly string[]): Promise<readonly StoredViolation[]>;
  /** The present violations of a range of identities, of some policies or of all, in pages. */
  storedIn(range: IdentityRange, policyIds: readonly string[] | null): AsyncIterable<readonly StoredViolation[]>;
  /** The exceptions that the data make void, though that is not stored. */
  findVoid(now: string): Promise<ReadonlySet<string>>;
  /** The approved exceptions of identities, past, present and future; also those that are not stored as void. */
  exceptionsOf(identityIds: readonly string[]): Promise<readonly IdentityException[]>;
  /** Those of a range of identities, from some policies or from all, that end after an instant, in pages. */
  exceptionsIn(range: IdentityRange, query: ExceptionQuery): AsyncIterable<readonly IdentityException[]>;
  /** The stored next instants of identities. */
  dueOf(identityIds: readonly string[]): Promise<readonly { readonly identityId: string; readonly due: string }[]>;
  /** The stored next instants of a range of identities, in pages. */
  dueIn(range: IdentityRange): AsyncIterable<readonly { readonly identityId: string; readonly due: string }[]>;
  /** The instant to evaluate at: `now`, or the register's moment where that is a little later, since it does not go back. */
  instantAt(now: string): Promise<string>;
  /** All policies, in pages. */
  allPolicies(): AsyncIterable<readonly KnownPolicy[]>;
  /** The policies among these ids that the register knows, by id; all that it knows for null. */
  knownPolicies(ids: readonly string[] | null): Promise<ReadonlyMap<string, KnownPolicy>>;
}

const PAGE_ROWS = 500;

export async function openRegisterSource(database: Database, tenant: string): Promise<RegisterSource> {
  return createRegisterSource(database, tenant, await database.openSnapshot('work', tenant));
}

/** The data of a snapshot, which is closed with the source, or if reading fails. */
async function createRegisterSource(database: Database, tenant: string, snapshot: Snapshot): Promise<RegisterSource> {
  const source = await createReportSource(snapshot, tenant);
  const { read } = snapshot;
  try {
    const row = await read((db) =>
      db.selectFrom('tenant').select('identity_count').where('tenant', '=', tenant).executeTakeFirst(),
    );
    const identityCount = row?.identity_count ?? 0;
    const { renew } = snapshot;
    return {
      ...source,
      identityCount,
      renew:
        renew === null
          ? null
          : async () => {
              await renew();
              const renewed = await createRegisterSource(database, tenant, snapshot);
              return { ...renewed, [Symbol.asyncDispose]: async () => {} };
            },
      changesSince: (claim, now) => readChanges(snapshot, source, { claim, now, identityCount }),
      ...readsOfIdentities(snapshot, tenant),
      findVoid: (now) => findUnstoredVoid(snapshot, { tenant, now }),
      exceptionsIn: (range, query) => readExceptions(snapshot, tenant, { range, ...query }),
      storedIn: (range, policyIds) => readStored(snapshot, tenant, { range, policyIds }),
      dueIn: (range) => readDue(snapshot, tenant, range),
      instantAt: async (now) => {
        const { asOf } = await read((db) => readRegisterState(db, tenant, now));
        return asOf !== null && asOf > now && asOf <= latestUsual(Date.parse(now)) ? asOf : now;
      },
      allPolicies: () => readAllPolicies(snapshot, tenant),
      knownPolicies: (ids) => read((db) => readKnownPolicies(db, tenant, ids)),
    };
  } catch (error) {
    await source[Symbol.asyncDispose]();
    throw error;
  }
}

type ReadsOfIdentities = Pick<RegisterSource, 'readIdentities' | 'storedOf' | 'exceptionsOf' | 'dueOf'>;

// PostgreSQL knows no empty list of values: nothing is read for no ids.
const readsOfIdentities = ({ read }: Snapshot, tenant: string): ReadsOfIdentities => ({
  readIdentities: async (ids) =>
    ids.length === 0
      ? []
      : read((db) =>
          db
            .selectFrom('identity')
            .select(['id', 'display_name as displayName', 'access'])
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
    ids.length === 0 ? [] : read((db) => approvedExceptions(db, tenant).where('identity_id', 'in', ids).execute()),
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

const approvedExceptions = (db: Kysely<Tables>, tenant: string) =>
  db
    .selectFrom('sod_exception')
    .select(['id', 'policy_id as policyId', 'identity_id as identityId', 'starts as start', 'ends as end'])
    .where('tenant', '=', tenant)
    .where('approved', 'is not', null)
    .where('revoked', 'is', null)
    .where('voided', 'is', null);

async function readKnownPolicies(
  db: Kysely<Tables>,
  tenant: string,
  ids: readonly string[] | null,
): Promise<ReadonlyMap<string, KnownPolicy>> {
  if (ids?.length === 0) return new Map();
  const all = db
    .selectFrom('register_policy')
    .select(['policy_id as policyId', 'name', 'level_rank as levelRank', 'terms'])
    .where('tenant', '=', tenant);
  const rows = await (ids === null ? all : all.where('policy_id', 'in', ids)).execute();
  return new Map(rows.map((policy) => [policy.policyId, policy]));
}

/** A policy as the register knows it. */
export const knownPolicyOf = (policy: SodPolicy): KnownPolicy => {
  const terms = policyTermsOf(policy);
  return {
    policyId: policy.id,
    name: policy.name,
    levelRank: levelRankOf(policy.level),
    terms: terms === '' ? '' : hash('sha256', terms, 'base64'),
  };
};

/** With what the claim has staged: what others have left was settled before it reads. */
const presentIn = (db: Kysely<Tables>, tenant: string) =>
  db
    .selectFrom('sod_violation')
    .select([...COMPARED, 'status'])
    .where('tenant', '=', tenant)
    .where('closed', 'is', null)
    .where('until_round', 'is', null);

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
  for (let after = { identityId: range.from, id: '' }; ; ) {
    const rows = await read((db) => {
      let query = approvedExceptions(db, tenant)
        .where('ends', '>', endAfter)
        .where(sql<boolean>`(identity_id, id) > (${after.identityId}, ${after.id})`);
      if (range.before !== null) query = query.where('identity_id', '<', range.before);
      if (policyIds !== null) query = query.where('policy_id', 'in', policyIds);
      return query.orderBy('identity_id').orderBy('id').limit(PAGE_ROWS).execute();
    });
    yield rows;
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
