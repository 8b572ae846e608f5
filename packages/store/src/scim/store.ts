import type { AuditContext, NotFound, Result, Source } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { keepMembers } from '../access/sources/account-access.ts';
import type { Failed } from '../engine/change.ts';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../schema/tables.ts';
import { catchRefusal, Refused } from '../sign-in/guard.ts';
import {
  changeAccount,
  createAccount,
  deleteAccount,
  findAccount,
  listAccounts,
  type ScimAccount,
  type ScimAccountChange,
  type ScimCreation,
  type ScimDeletion,
  type ScimFailure,
  type ScimPage,
  type ScimQuery,
  type WrittenSource,
  writeToSource,
} from './accounts.ts';
import {
  changeGroup,
  createGroup,
  deleteGroup,
  findGroup,
  listGroups,
  type ScimGroup,
  type ScimGroupChange,
} from './groups.ts';

type Precondition<T, G> = (present: T) => Result<unknown, G>;

/**
 * Users and groups of sources, as SCIM has them. Each write is one transaction, and one audit event a record. Where the source is
 * authoritative, an identity is active where its user was enabled last, and no write takes the last administrator that can sign
 * in (`Conflict`).
 */
export interface ScimStore {
  /** Null where the filter is not allowed. */
  listUsers(tenant: string, source: Source, query: ScimQuery): Promise<ScimPage<ScimAccount> | null>;
  findUser(tenant: string, source: Source, key: string): Promise<ScimAccount | null>;
  createUser(
    auditContext: AuditContext,
    sourceId: string,
    user: ScimCreation,
  ): Promise<Result<ScimAccount, ScimFailure>>;
  changeUser<F extends Failed, G extends Failed>(
    auditContext: AuditContext,
    sourceId: string,
    change: ScimAccountChange<F, G> & { readonly key: string },
  ): Promise<Result<ScimAccount, F | G | ScimFailure>>;
  deleteUser<G extends Failed>(
    auditContext: AuditContext,
    sourceId: string,
    deletion: ScimDeletion<G>,
  ): Promise<Result<null, G | ScimFailure>>;
  /** Null where the filter is not allowed. */
  listGroups(
    tenant: string,
    source: Source,
    query: ScimQuery & { readonly withMembers: boolean },
  ): Promise<ScimPage<ScimGroup> | null>;
  findGroup(
    tenant: string,
    source: Source,
    query: { readonly id: string; readonly withMembers: boolean },
  ): Promise<ScimGroup | null>;
  createGroup(
    auditContext: AuditContext,
    sourceId: string,
    group: ScimGroupChange & { readonly id: string },
  ): Promise<Result<ScimGroup, ScimFailure>>;
  changeGroup<F extends Failed, G extends Failed>(
    auditContext: AuditContext,
    sourceId: string,
    change: {
      readonly id: string;
      readonly precondition: Precondition<ScimGroup, G>;
      readonly decide: (present: ScimGroup) => Result<ScimGroupChange, F>;
    },
  ): Promise<Result<ScimGroup, F | G | ScimFailure>>;
  /** `Conflict` where something other than accounts of the source still refers to it. */
  deleteGroup<G extends Failed>(
    auditContext: AuditContext,
    sourceId: string,
    deletion: { readonly id: string; readonly precondition: Precondition<ScimGroup, G> },
  ): Promise<Result<null, G | ScimFailure>>;
}

export function createScimStore(database: Database): ScimStore {
  /** A failure rolls back what the write has done before it. */
  const write = <T, F>(
    auditContext: AuditContext,
    sourceId: string,
    work: (trx: Transaction<Tables>, of: WrittenSource) => Promise<Result<T, F>>,
  ): Promise<Result<T, F | ScimFailure>> =>
    catchRefusal<Result<T, F | NotFound>, F | ScimFailure>(() =>
      writeToSource(database, auditContext, sourceId, async (trx, of) => {
        const done = await work(trx, of);
        if (!done.ok) throw new Refused(done.failure);
        return done;
      }),
    );
  /** Groups are read and written where the members of all are kept. */
  const withMembers = async <T>(tenant: string, sourceId: string, work: () => Promise<T>): Promise<T> => {
    await keepMembers(database, { tenant, sourceId });
    return work();
  };
  const writeGroups: typeof write = (auditContext, sourceId, work) =>
    withMembers(auditContext.tenant, sourceId, () => write(auditContext, sourceId, work));
  return {
    listUsers: (tenant, source, query) => database.read((db) => listAccounts(db, { tenant, source }, query)),
    findUser: (tenant, source, key) => database.read((db) => findAccount(db, { tenant, source }, key)),
    createUser: (auditContext, sourceId, user) =>
      write(auditContext, sourceId, (trx, of) => createAccount(trx, of, user)),
    changeUser: (auditContext, sourceId, change) =>
      write(auditContext, sourceId, (trx, of) => changeAccount(trx, of, change)),
    deleteUser: (auditContext, sourceId, deletion) =>
      write(auditContext, sourceId, (trx, of) => deleteAccount(trx, of, deletion)),
    listGroups: (tenant, source, query) =>
      withMembers(tenant, source.id, () => database.read((db) => listGroups(db, { tenant, source }, query))),
    findGroup: (tenant, source, query) =>
      withMembers(tenant, source.id, () => database.read((db) => findGroup(db, { tenant, source }, query))),
    createGroup: (auditContext, sourceId, group) =>
      writeGroups(auditContext, sourceId, (trx, of) => createGroup(trx, of, group)),
    changeGroup: (auditContext, sourceId, change) =>
      writeGroups(auditContext, sourceId, (trx, of) => changeGroup(trx, of, change)),
    deleteGroup: (auditContext, sourceId, deletion) =>
      writeGroups(auditContext, sourceId, (trx, of) => deleteGroup(trx, of, deletion)),
  };
}
