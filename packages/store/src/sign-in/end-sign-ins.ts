import type { AuditContext, ResourceChange, SignInEnds } from '@access-admin/domain';
import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import { inParts } from '../engine/concurrency/in-parts.ts';
import { createPauses } from '../engine/concurrency/pauses.ts';
import { recordChanges } from '../record/audit/append-event.ts';
import type { SessionRow, Tables } from '../schema/tables.ts';
import { endThese } from './sessions.ts';
import { revokeUsedLinks } from './used-links.ts';

// Keeps statements well below the limit of parameters.
const IDENTITIES_AT_ONCE = 500;

/**
 * Revokes sign-in links, pending sign-ins and sessions of identities, in a transaction of the whole tenant. A sign-in that a
 * concurrent transaction begins with a link has the old generation, so it is never valid.
 */
export async function endSignIns(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { promoted, renamed, deactivated }: SignInEnds,
): Promise<void> {
  const pause = createPauses();
  for (const { ids, kept } of [
    { ids: promoted, kept: 'WITHOUT_LINK' },
    { ids: [...renamed, ...deactivated], kept: 'NONE' },
  ] as const)
    for (const some of inParts(ids, IDENTITIES_AT_ONCE)) {
      await endSome(trx, auditContext, { ids: some, kept });
      await pause();
    }
}

/** Of which identities links end, and which sessions and pending sign-ins of them are kept. */
interface Ended {
  readonly ids: readonly string[];
  readonly kept: 'NONE' | 'WITHOUT_LINK';
}

const derivesFromLink = (eb: ExpressionBuilder<Tables, 'pending_sign_in' | 'session'>) =>
  eb.or([eb('link_generation', 'is not', null), eb('used_link', 'is not', null)]);

async function endSome(trx: Transaction<Tables>, auditContext: AuditContext, { ids, kept }: Ended): Promise<void> {
  const { tenant } = auditContext;
  const accounts = await trx
    .selectFrom('sign_in_account')
    .select('identity_id')
    .where('tenant', '=', tenant)
    .where('identity_id', 'in', ids)
    .execute();
  if (accounts.length === 0) return;
  const identityIds = accounts.map(({ identity_id }) => identity_id);
  await trx
    .insertInto('link_generation')
    .values(identityIds.map((identity_id) => ({ tenant, identity_id, generation: 1 })))
    .onConflict((conflict) =>
      conflict.columns(['tenant', 'identity_id']).doUpdateSet({ generation: sql`link_generation.generation + 1` }),
    )
    .execute();
  const isPromotion = kept === 'WITHOUT_LINK';
  const usedLinks = await revokeUsedLinks(trx, tenant, { identityIds, isPromotion });
  const links = await trx
    .deleteFrom('sign_in_link')
    .where('tenant', '=', tenant)
    .where('identity_id', 'in', identityIds)
    .returning('identity_id')
    .execute();
  await trx
    .deleteFrom('pending_sign_in')
    .where('tenant', '=', tenant)
    .where('identity_id', 'in', identityIds)
    .$if(isPromotion, (query) => query.where(derivesFromLink))
    .execute();
  const sessions: readonly SessionRow[] = await trx
    .selectFrom('session')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('identity_id', 'in', identityIds)
    .$if(isPromotion, (query) => query.where(derivesFromLink))
    .orderBy('id')
    .execute();
  await recordChanges(trx, auditContext, endedLinks(links.map(({ identity_id }) => identity_id)));
  await recordChanges(trx, auditContext, usedLinks.changes);
  const ends = ({ link_generation, used_link }: SessionRow) =>
    !isPromotion || link_generation !== null || (used_link !== null && usedLinks.hashes.has(used_link));
  await endThese(trx, auditContext, sessions.filter(ends));
}

/** The revoked links as the audit log records them, by identity. */
export function* endedLinks(identityIds: readonly string[]): Generator<ResourceChange, void> {
  for (const id of [...new Set(identityIds)].sort()) {
    const before = identityIds.filter((each) => each === id).length;
    yield { resource: { type: 'AUTH_USER', id }, changes: [{ field: 'openSignInLinks', before, after: 0 }] };
  }
}
