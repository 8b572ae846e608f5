import { type AuditContext, type ImportPlan, type ImportRecord, isVoid } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { createOrderedRunner } from '../concurrency/ordered-runner.ts';
import { createPauses } from '../concurrency/pauses.ts';
import { startStopwatch } from '../concurrency/stopwatch.ts';
import type { Database, Reads, ReadsAndWrites } from '../engine/database.ts';
import { StorageUnavailable } from '../engine/errors.ts';
import type { Tables } from '../schema/tables.ts';
import { readIdentityRevision } from '../tenants/versions.ts';
import { type ConflictPolicy, findConflicts, readPolicies, termsHashOf } from './held-conflicts.ts';
import { type ExaminedImport, effectOf, isConcerned } from './import-effect.ts';
import {
  ATTEMPTS_MAX,
  isRepeatable,
  type ModelVersion,
  readChangedPolicies,
  readModelVersion,
} from './model-version.ts';
import { OUTDATED } from './prepare.ts';
import { type ApprovedException, approvedOf, hasApproved, readConcerned, rowToApproved } from './read-approved.ts';
import { voidExceptions, voidRequestedOf } from './voiding.ts';

/** What an import does to exceptions, found out before its transaction. */
export interface PreparedVoiding {
  /**
   * Whether it fits the stored data. Call it in the transaction, before the first change. What is outdated is repeated there
   * if that is short.
   */
  settle(trx: Transaction<Tables>): Promise<boolean>;
  /** Voids and records the exceptions that the import ends. Returns the ids of those to tell of. */
  voidBy(trx: Transaction<Tables>, plan: ImportPlan): Promise<readonly string[]>;
}

/** An import. */
interface Importing {
  readonly auditContext: AuditContext;
  readonly records: readonly ImportRecord[];
}

/**
 * Calls `write` at once, which is enough for a tenant without exceptions, then with what the import does to them for as long
 * as that is outdated. Conflicts are looked for without a transaction, so they may take their time.
 */
export type WithImportVoiding = <T>(
  importing: Importing,
  write: (held: ReadsAndWrites, voiding: PreparedVoiding) => Promise<T | typeof OUTDATED>,
) => Promise<T>;

export function createImportVoiding(database: Database): WithImportVoiding {
  // Imports of this process would make each other's preparations outdated.
  const runInOrder = createOrderedRunner();
  return ({ auditContext, records }, write) =>
    database.hold(async (held) => {
      const { tenant, time: now } = auditContext;
      const without = prepared(auditContext, async (trx) => ((await hasApproved(trx, auditContext)) ? null : []));
      const written = await write(held, without);
      if (written !== OUTDATED) return written;
      const effect = effectOf(records);
      return runInOrder(tenant, async () => {
        const { examine, settle } = createExamination({ tenant, now, ...effect });
        for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
          await examine(held);
          const voiding = prepared(auditContext, (trx) => settle(trx, attempt));
          const settled = await write(held, voiding);
          if (settled !== OUTDATED) return settled;
        }
        throw new StorageUnavailable('The access model changes too often to find the exceptions that an import ends.');
      });
    });
}

/** Returns the exceptions that the import makes void; null when they cannot be told in the transaction. */
type Settle = (trx: Transaction<Tables>) => Promise<readonly ApprovedException[] | null>;

function prepared(auditContext: AuditContext, settle: Settle): PreparedVoiding {
  let found: readonly ApprovedException[] = [];
  return {
    settle: async (trx) => {
      const settled = await settle(trx);
      found = settled ?? [];
      return settled !== null;
    },
    voidBy: (trx, plan) => voidByPlan(trx, auditContext, { found, plan }),
  };
}

interface FoundByPlan {
  readonly found: readonly ApprovedException[];
  readonly plan: ImportPlan;
}

/** Voids the exceptions found, as far as the plan changes something that they depend on. */
async function voidByPlan(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { found, plan: { upserts, deletes } }: FoundByPlan,
): Promise<readonly string[]> {
  const isBundle = [upserts.role, upserts.accessProfile, deletes.role, deletes.accessProfile].some(
    ({ length }) => length > 0,
  );
  const identities = new Set([...upserts.identity.map(({ id }) => id), ...deletes.identity]);
  const policies = new Set([...upserts.sodPolicy.map(({ id }) => id), ...deletes.sodPolicy]);
  const ended = found.filter(
    ({ identityId, policyId }) => isBundle || identities.has(identityId) || policies.has(policyId),
  );
  const deleted = { policies: deletes.sodPolicy, identities: deletes.identity };
  return [...(await voidExceptions(trx, auditContext, ended)), ...(await voidRequestedOf(trx, auditContext, deleted))];
}

/** Finds the exceptions whose conflict an import leaves with other items or none. */
function createExamination(given: ExaminedImport) {
  const verdicts = new Map<string, ApprovedException | null>();
  let since: ModelVersion | null = null;
  let tookMs = 0;
  const { tenant } = given;
  const examineThese = async (reads: Reads, exceptions: readonly ApprovedException[]) => {
    for (const exception of exceptions) verdicts.set(exception.id, null);
    for await (const exception of findVoid(reads, given, exceptions)) verdicts.set(exception.id, exception);
  };
  const examineAll = async (reads: Reads, known: ModelVersion | null) => {
    const isKnown = ({ id, revision }: ApprovedException) =>
      known !== null && verdicts.has(id) && revision !== null && revision <= known.identityRevision;
    // Reads of SQLite resolve without a turn of the event loop.
    const pause = createPauses();
    for await (const page of readConcerned(reads, given)) {
      await examineThese(
        reads,
        page.filter((exception) => !isKnown(exception)),
      );
      await pause();
    }
  };
  return {
    /** Examines all exceptions concerned; when called again, those that may have changed. */
    examine: async (reads: Reads): Promise<void> => {
      const elapsedMs = startStopwatch();
      const version = await reads.read((db) => readModelVersion(db, tenant));
      const from = since;
      const changed = from && (await reads.read((db) => readChangedPolicies(db, tenant, from)));
      if (changed === null) verdicts.clear();
      await examineAll(reads, changed === null ? null : from);
      if (changed === null) tookMs = elapsedMs();
      since = version;
    },
    /** Only bundles and identities count: a changed policy has voided its exceptions itself. */
    settle: async (trx: Transaction<Tables>, attempt: number): Promise<readonly ApprovedException[] | null> => {
      const within: Reads = { read: (query) => query(trx) };
      const from = since;
      const hasBundles = from === null || (await readChangedPolicies(trx, tenant, from)) === null;
      const changed = hasBundles ? null : await readChanged(trx, given, from);
      if (changed !== null) await examineThese(within, changed);
      else if (isRepeatable(tookMs, attempt)) await examineAll(within, hasBundles ? null : from);
      else return null;
      return [...verdicts.values()].filter((exception) => exception !== null);
    },
  };
}

const IDENTITIES_MAX = 500;
const EXAMINED_WITHIN_MAX = 20;

/** The exceptions concerned whose identity has changed since; null when they are too many to be examined in a transaction. */
async function readChanged(
  trx: Transaction<Tables>,
  given: ExaminedImport,
  { identityRevision }: ModelVersion,
): Promise<readonly ApprovedException[] | null> {
  const { tenant } = given;
  if ((await readIdentityRevision(trx, tenant)) === identityRevision) return [];
  const identities = await trx
    .selectFrom('identity')
    .select('id')
    .where('tenant', '=', tenant)
    .where('revision', '>', identityRevision)
    .limit(IDENTITIES_MAX + 1)
    .execute();
  if (identities.length > IDENTITIES_MAX) return null;
  if (identities.length === 0) return [];
  const ids = identities.map(({ id }) => id);
  const rows = await approvedOf(trx, given).where('identity_id', 'in', ids).execute();
  const changed = rows.map(rowToApproved).filter((exception) => isConcerned(given, exception));
  return changed.length > EXAMINED_WITHIN_MAX ? null : changed;
}

/** The exceptions of a page that the import makes void. Terms are compared first, because they need no access. */
async function* findVoid(
  reads: Reads,
  given: ExaminedImport,
  exceptions: readonly ApprovedException[],
): AsyncGenerator<ApprovedException> {
  const policies = await readPolicies(reads, given, new Set(exceptions.map(({ policyId }) => policyId)));
  const terms = new Map(Array.from(policies, ([id, policy]) => [id, termsHashOf(policy)]));
  const pairs: {
    readonly identityId: string;
    readonly policy: ConflictPolicy;
    readonly exception: ApprovedException;
  }[] = [];
  for (const exception of exceptions) {
    const { identityId, policyId } = exception;
    const policy = policies.get(policyId);
    const bare = conflictWith(policy, { terms: terms.get(policyId), items: [] });
    const ground = { policyExists: policy !== undefined, identityExists: true, conflict: bare };
    if (policy === undefined || isVoid(exception, ground)) yield exception;
    else if (given.hasBundles || given.overlay.access.has(identityId)) pairs.push({ identityId, policy, exception });
  }
  for await (const { pair, items } of findConflicts(reads, given, pairs)) {
    const { exception, policy } = pair;
    const found = items === null || items.length === 0 ? null : { terms: terms.get(exception.policyId), items };
    const conflict = found && conflictWith(policy, found);
    if (isVoid(exception, { policyExists: true, identityExists: items !== null, conflict })) yield exception;
  }
}

interface FoundItems {
  readonly terms: string | undefined;
  readonly items: readonly string[];
}

const conflictWith = (policy: ConflictPolicy | undefined, { terms, items }: FoundItems) =>
  policy?.state !== 'ENFORCED' || terms === undefined ? null : { policy: terms, items };
