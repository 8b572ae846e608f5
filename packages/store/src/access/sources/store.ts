import {
  type Account,
  type AuditChange,
  type AuditContext,
  accountFieldsOf,
  completeSource,
  type Failure,
  fail,
  failure,
  type ManualLink,
  type NotFound,
  ok,
  type Result,
  SOURCES_MAX,
  type Source,
  sourceChanges,
  TOO_MANY_SOURCES,
  textOfMissing,
} from '@access-admin/domain';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type Change, type Failed, unconditional, underPrecondition } from '../../engine/change.ts';
import type { Database } from '../../engine/database.ts';
import { changeScope } from '../../engine/scope.ts';
import { type Condition, compileFilter, type FilterFields } from '../../query/filter.ts';
import type { Page } from '../../query/page.ts';
import { countRows } from '../../query/total.ts';
import { recordChanges } from '../../record/audit/append-event.ts';
import { appendEvents } from '../../record/events/append-events.ts';
import { ensureTenant } from '../../record/tenants/versions.ts';
import type { Tables } from '../../schema/tables.ts';
import { type Recording, recordingOf } from './apply-accounts.ts';
import { writeSource } from './change-source.ts';
import { rowToAccount, rowToSource } from './codec.ts';
import { readSources } from './read.ts';
import { type AccountFault, writeAccounts } from './write-accounts.ts';

/** A condition of a list of sources. */
export type SourceCondition = Condition<'id' | 'name', 'eq' | 'in' | 'sw' | 'co'>;

/** A condition of a list of accounts. `identityId` with no value is that of accounts of nobody. */
export type AccountCondition = Condition<
  'source' | 'identityId' | 'correlation' | 'name' | 'disabled',
  'eq' | 'in' | 'sw' | 'co'
>;

/** The sources of each tenant, and their accounts. */
export interface SourceStore {
  /** The sources that meet all conditions, by id. */
  list(tenant: string, conditions: readonly SourceCondition[], page: Page): Promise<readonly Source[]>;
  count(tenant: string, conditions: readonly SourceCondition[]): Promise<number>;
  find(tenant: string, id: string): Promise<Source | null>;
  /** Stores a new source and creates its tenant if it is new. `Conflict` when the id is taken, or there are 100 already. */
  create(auditContext: AuditContext, source: Source): Promise<Result<Source, Failure>>;
  /** Reads, decides and stores in one transaction, with what follows for its accounts; a failure changes nothing. */
  change<F extends Failed, G extends Failed = never>(
    auditContext: AuditContext,
    id: string,
    change: Change<Source, Source, F, G>,
  ): Promise<Result<Source, F | G | Failure>>;
  /** Deletes the source with its accounts, and what they grant, if the precondition holds. */
  delete<F extends Failed>(
    auditContext: AuditContext,
    id: string,
    precondition: (shown: Source) => Result<unknown, F>,
  ): Promise<Result<null, F | NotFound>>;
  /** The accounts that meet all conditions, by key. */
  listAccounts(tenant: string, conditions: readonly AccountCondition[], page: Page): Promise<readonly Account[]>;
  countAccounts(tenant: string, conditions: readonly AccountCondition[]): Promise<number>;
  findAccount(tenant: string, key: string): Promise<Account | null>;
  /** Gives an account its identity by hand, or none. `ReferenceNotFound` when there is no such identity. */
  linkAccount<F extends Failed = never>(
    auditContext: AuditContext,
    key: string,
    link: ManualLink,
    precondition?: (shown: Account) => Result<unknown, F>,
  ): Promise<Result<Account, F | Failure>>;
}

export function createSourceStore(database: Database): SourceStore {
  return {
    list: (tenant, conditions, { limit, offset }) =>
      database.read(async (db) => {
        const rows = await sourcesOf(db, tenant, conditions)
          .selectAll()
          .orderBy('id')
          .limit(limit)
          .offset(offset)
          .execute();
        return rows.map(rowToSource);
      }),
    count: (tenant, conditions) => database.read((db) => countSources(db, tenant, conditions)),
    find: (tenant, id) => database.read((db) => findSource(db, tenant, id)),
    create: (auditContext, source) =>
      database.writeAlone(changeScope(auditContext), async (trx): Promise<Result<Source, Failure>> => {
        const { tenant, time } = auditContext;
        const decision = await refuseIllegal(trx, tenant, { before: null, decision: ok(source) });
        if (!decision.ok) return decision;
        await ensureTenant(trx, tenant, time);
        return ok(await storeSource(trx, auditContext, { before: null, after: completeSource(source, null, time) }));
      }),
    change: (auditContext, id, { precondition = unconditional, decide }) =>
      database.writeAlone(changeScope(auditContext), async (trx) => {
        const { tenant, time } = auditContext;
        const before = await findSource(trx, tenant, id);
        if (before === null) return fail(NO_SOURCE);
        const decided = await refuseIllegal(trx, tenant, { before, decision: decide(before) });
        const decision = underPrecondition(precondition(before), decided);
        if (!decision.ok) return decision;
        return ok(
          await storeSource(trx, auditContext, { before, after: completeSource(decision.value, before, time) }),
        );
      }),
    delete: (auditContext, id, precondition) =>
      database.writeAlone(changeScope(auditContext), async (trx) => {
        const before = await findSource(trx, auditContext.tenant, id);
        if (before === null) return fail(NO_SOURCE);
        const met = precondition(before);
        if (!met.ok) return met;
        await record(trx, auditContext, { before, after: null });
        return ok(null);
      }),
    listAccounts: (tenant, conditions, { limit, offset }) =>
      database.read(async (db) => {
        const rows = await accountsOf(db, tenant, conditions)
          .selectAll()
          .orderBy('id')
          .limit(limit)
          .offset(offset)
          .execute();
        return rows.map(rowToAccount);
      }),
    countAccounts: (tenant, conditions) => database.read((db) => countRows(accountsOf(db, tenant, conditions))),
    findAccount: (tenant, key) => database.read((db) => findAccount(db, tenant, key)),
    linkAccount: (auditContext, key, link, precondition = unconditional) =>
      database.write(changeScope(auditContext), async (trx) => {
        const { tenant } = auditContext;
        const before = await findAccount(trx, tenant, key);
        if (before === null) return fail(NO_ACCOUNT);
        const missing = await missingIdentity(trx, tenant, link);
        const decision = underPrecondition(precondition(before), missing === null ? ok(null) : fail(missing));
        if (!decision.ok) return decision;
        const sources = await readSources(trx, tenant);
        const source = sources.get(before.source);
        if (source === undefined) return fail(NO_ACCOUNT);
        const { madeIdentityId, seenByLoad, externalId } = before;
        const write = { fields: accountFieldsOf(before), before, manual: link, madeIdentityId, seenByLoad, externalId };
        const written = await writeAccounts(trx, { auditContext, source, sources }, [write]);
        await tell(trx, auditContext, [recordingOf(auditContext, written)]);
        return ok(written.accounts[0] ?? before);
      }),
  };
}

const NO_SOURCE: NotFound = failure('NotFound', '', 'There is no such source.');
const NO_ACCOUNT: NotFound = failure('NotFound', '', 'There is no such account.');

interface ChangedSource {
  readonly before: Source | null;
  readonly after: Source | null;
}

/** Refuses a decided source that cannot be stored. */
async function refuseIllegal<F = never>(
  trx: Transaction<Tables>,
  tenant: string,
  { before, decision }: { readonly before: Source | null; readonly decision: Result<Source, F> },
): Promise<Result<Source, F | Failure>> {
  if (!decision.ok) return decision;
  const refused = await refusalOf(trx, tenant, { before, after: decision.value });
  return refused === null ? decision : fail(refused);
}

async function refusalOf(
  trx: Transaction<Tables>,
  tenant: string,
  { before, after }: ChangedSource & { readonly after: Source },
): Promise<Failure | null> {
  const profile = after.identityProfileId;
  if (profile !== null && profile !== before?.identityProfileId && !(await hasProfile(trx, tenant, profile)))
    return failure('ReferenceNotFound', 'identityProfileId', textOfMissing('identity profile', profile));
  if (before !== null) return null;
  if ((await findSource(trx, tenant, after.id)) !== null)
    return failure('Conflict', 'id', `there is a source ${after.id} already`);
  const count = await countSources(trx, tenant, []);
  return count < SOURCES_MAX ? null : failure('Conflict', '', TOO_MANY_SOURCES);
}

async function hasProfile(trx: Transaction<Tables>, tenant: string, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('identity_profile')
    .select('id')
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

async function missingIdentity(
  trx: Transaction<Tables>,
  tenant: string,
  { identityId }: ManualLink,
): Promise<Failure | null> {
  if (identityId === null) return null;
  const row = await trx
    .selectFrom('identity')
    .select('id')
    .where('tenant', '=', tenant)
    .where('id', '=', identityId)
    .executeTakeFirst();
  return row === undefined ? failure('ReferenceNotFound', 'identityId', textOfMissing('identity', identityId)) : null;
}

async function storeSource(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { before, after }: ChangedSource & { readonly after: Source },
): Promise<Source> {
  if (sourceChanges(before, after).length > 0) await record(trx, auditContext, { before, after });
  return after;
}

/** Writes a source and records that, then what follows for its accounts and their identities. */
async function record(trx: Transaction<Tables>, auditContext: AuditContext, change: ChangedSource): Promise<void> {
  const { before, after } = change;
  const recordings: Recording[] = [];
  for await (const recording of writeSource(trx, { auditContext, ...change })) recordings.push(recording);
  const resource = { type: 'SOURCE', id: (before ?? after)?.id ?? '' } as const;
  const faults = recordings.flatMap((recording) => recording.faults);
  await recordChanges(trx, auditContext, [
    { resource, changes: [...sourceChanges(before, after), ...tellFaults(faults)] },
  ]);
  await tell(trx, auditContext, recordings);
}

const FAULTS_TOLD = 100;

/** Tells which accounts have no identity, although the source should have made one. */
const tellFaults = (faults: readonly AccountFault[]): readonly AuditChange[] =>
  faults.length === 0
    ? []
    : [
        {
          field: 'accountsWithoutIdentity',
          before: null,
          after: {
            count: faults.length,
            first: faults.slice(0, FAULTS_TOLD).map(({ id, text }) => ({ account: id, fault: text })),
          },
        },
      ];

async function tell(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  recordings: readonly Recording[],
): Promise<void> {
  await recordChanges(
    trx,
    auditContext,
    recordings.flatMap(({ changes }) => changes),
  );
  await appendEvents(
    trx,
    auditContext.tenant,
    recordings.flatMap(({ events }) => events),
  );
}

/** A source of a tenant. */
export async function findSource(db: Kysely<Tables>, tenant: string, id: string): Promise<Source | null> {
  const row = await db
    .selectFrom('source')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : rowToSource(row);
}

async function findAccount(db: Kysely<Tables>, tenant: string, key: string) {
  const row = await db
    .selectFrom('account')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', key)
    .executeTakeFirst();
  return row === undefined ? null : rowToAccount(row);
}

const sourcesOf = (db: Kysely<Tables>, tenant: string, conditions: readonly SourceCondition[]) =>
  db.selectFrom('source').where('tenant', '=', tenant).where(compileFilter(SOURCE_FIELDS, conditions));

const accountsOf = (db: Kysely<Tables>, tenant: string, conditions: readonly AccountCondition[]) =>
  db.selectFrom('account').where('tenant', '=', tenant).where(compileFilter(ACCOUNT_FIELDS, conditions));

async function countSources(
  db: Kysely<Tables>,
  tenant: string,
  conditions: readonly SourceCondition[],
): Promise<number> {
  return countRows(sourcesOf(db, tenant, conditions));
}

const SOURCE_FIELDS: FilterFields<SourceCondition> = { id: 'id', name: 'name' };

const ACCOUNT_FIELDS: FilterFields<AccountCondition> = {
  source: 'source_id',
  identityId: ({ values: [identityId] }): RawBuilder<boolean> =>
    identityId === undefined ? sql`identity_id is null` : sql`identity_id = ${identityId}`,
  correlation: 'correlation',
  name: 'name',
  disabled: ({ values }): RawBuilder<boolean> => sql`disabled = ${Number(values[0] === 'true')}`,
};
