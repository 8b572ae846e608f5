import { type Kysely, sql } from 'kysely';
import type { Reads } from '../../engine/database.ts';
import { readCatalogueLog } from '../../policies/rulebook/change-log.ts';
import { readIdentityRevision } from '../../record/tenants/versions.ts';
import type { Tables } from '../../schema/tables.ts';
import { JUDGED, type JudgedException } from './approved.ts';
import { findVoid } from './find-void.ts';
import type { ConflictScope } from './seen-conflicts.ts';
import { selectOpen } from './state.ts';

/**
 * Finds the exceptions that are void though that is not stored. The last round of the register stored those of its data, so only
 * later changes count; without a round, or after many changes, all live exceptions are compared.
 */
export async function findUnstoredVoid(reads: Reads, scope: ConflictScope): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const some of readConcerned(reads, scope))
    for (const id of await findVoid(reads, scope.tenant, some)) found.add(id);
  return found;
}

const PAGE_ROWS = 200;
// Reading all live exceptions is not much slower than looking up so many.
const CONCERNED_MAX = 1_000;

async function* readConcerned(reads: Reads, scope: ConflictScope): AsyncGenerator<readonly JudgedException[]> {
  const changed = await reads.read((db) => readChanged(db, scope));
  if (changed !== null) return yield changed;
  for (let last = { ends: '', id: '' }; ; ) {
    const rows = await reads.read((db) =>
      liveAt(db, scope)
        .select('ends')
        .where(sql<boolean>`(ends, id) > (${last.ends}, ${last.id})`)
        .orderBy('ends')
        .orderBy('id')
        .limit(PAGE_ROWS)
        .execute(),
    );
    yield rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE_ROWS) return;
    last = end;
  }
}

/** The exceptions that changes since the last round concern; null for unknown or many. */
async function readChanged(db: Kysely<Tables>, scope: ConflictScope): Promise<readonly JudgedException[] | null> {
  const { tenant, now } = scope;
  const head = await db
    .selectFrom('register_head')
    .select(['as_of', 'identity_revision', 'policy_set_version', 'change_id'])
    .where('tenant', '=', tenant)
    .executeTakeFirst();
  if (head === undefined || head.as_of === '') return null;
  const { as_of: asOf, identity_revision: since, policy_set_version: policySetVersion, change_id: changeId } = head;
  const rulebook = await readCatalogueLog(db, tenant, { policySetVersion, changeId });
  const mustJudgeAll = rulebook === null || rulebook.access?.some(({ type }) => type !== 'ENTITLEMENT');
  if (mustJudgeAll || since > (await readIdentityRevision(db, tenant))) return null;
  const limited = liveAt(db, scope).limit(CONCERNED_MAX + 1);
  const ofWritten = limited
    .innerJoin('identity', 'identity.id', 'sod_exception.identity_id')
    .where('identity.tenant', '=', tenant)
    .where('identity.revision', '>', since);
  const ofDeleted = limited
    .innerJoin('identity_deletion', 'identity_deletion.identity_id', 'sod_exception.identity_id')
    .where('identity_deletion.tenant', '=', tenant)
    .where('identity_deletion.revision', '>', since);
  const found = [...(await ofWritten.execute()), ...(await ofDeleted.execute())];
  if (rulebook.policies.size > 0)
    found.push(...(await limited.where('policy_id', 'in', [...rulebook.policies]).execute()));
  // After the clock has gone back, exceptions that no round has judged since their end are live again.
  if (now < asOf) found.push(...(await limited.where('ends', '<=', asOf).execute()));
  return found.length > CONCERNED_MAX ? null : found;
}

const liveAt = (db: Kysely<Tables>, { tenant, now }: ConflictScope) =>
  selectOpen(db, tenant).select(JUDGED).where('ends', '>', now);
