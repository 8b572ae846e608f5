import { type AuditContext, IDENTITY_TIE_HOURS } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import { isPostgres } from '../../engine/is-postgres.ts';
import { insertRows } from '../../query/insert.ts';
import type { Tables } from '../../schema/tables.ts';
import { findMakers } from './makers.ts';

const TIE_MS = IDENTITY_TIE_HOURS * 3_600_000;

/** Records, in the transaction of a change, that whoever makes it may act as these identities. */
export async function recordTiesOfChange(
  trx: Transaction<Tables>,
  auditContext: Pick<AuditContext, 'tenant' | 'actor' | 'time'>,
  identityIds: Iterable<string>,
): Promise<void> {
  const makerIds = await findMakers(trx, auditContext);
  if (makerIds.length === 0) return;
  const { tenant, time } = auditContext;
  await recordTies(trx, { tenant, makerIds, madeMs: Date.parse(time) }, identityIds);
}

/** Records, in the transaction of a change, that whoever makes it may act as all identities of these profiles. */
export async function recordTiesOfProfiles(
  trx: Transaction<Tables>,
  auditContext: Pick<AuditContext, 'tenant' | 'actor' | 'time'>,
  profileIds: Iterable<string>,
): Promise<void> {
  const profiles = [...profileIds];
  const makerIds = profiles.length === 0 ? [] : await findMakers(trx, auditContext);
  if (makerIds.length === 0) return;
  const { tenant, time } = auditContext;
  const made_ms = Date.parse(time);
  const rows = profiles.flatMap((identity_profile) =>
    makerIds.map((maker_id) => ({ tenant, identity_profile, maker_id, made_ms })),
  );
  await insertRows(trx, { table: 'identity_profile_tie', onConflict: keepLatestOfProfile }, rows);
  await trx
    .deleteFrom('identity_profile_tie')
    .where('tenant', '=', tenant)
    .where('made_ms', '<=', made_ms - KEPT_MS)
    .execute();
}

/**
 * Records, in the transaction of a change that gives identities other profiles, who may act as them by the profile that they had:
 * whoever has signed in as one of them stays so.
 */
export async function keepTiesOfProfiles(
  trx: Transaction<Tables>,
  { tenant, time }: Pick<AuditContext, 'tenant' | 'time'>,
  moved: Iterable<{ readonly id: string; readonly from: string }>,
): Promise<void> {
  const byProfile = Map.groupBy(moved, ({ from }) => from);
  if (byProfile.size === 0) return;
  const ties = await trx
    .selectFrom('identity_profile_tie')
    .select(['identity_profile', 'maker_id', 'made_ms'])
    .where('tenant', '=', tenant)
    .where('made_ms', '>', Date.parse(time) - TIE_MS)
    .execute();
  for (const { identity_profile, maker_id, made_ms } of ties) {
    const ids = (byProfile.get(identity_profile) ?? []).map(({ id }) => id);
    await recordTies(trx, { tenant, makerIds: [maker_id], madeMs: made_ms }, ids);
  }
}

/** Who may act as other identities from a moment on. */
export interface Tying {
  readonly tenant: string;
  readonly makerIds: readonly string[];
  /** Milliseconds since 1970. */
  readonly madeMs: number;
}

/**
 * Records that known makers may act as identities. Each identity is given once. A tie stays when its identities are deleted, and counts again
 * when they are created anew.
 */
export async function recordTies(trx: Transaction<Tables>, tying: Tying, identityIds: Iterable<string>): Promise<void> {
  const { tenant, makerIds, madeMs } = tying;
  let count = 0;
  const rows = function* (): Generator<Tables['identity_tie'], void> {
    for (const identityId of identityIds)
      for (const makerId of makerIds) {
        if (identityId === makerId) continue;
        count += 1;
        yield { tenant, identity_id: identityId, maker_id: makerId, made_ms: madeMs };
      }
  };
  await insertRows(trx, { table: 'identity_tie', onConflict: keepLatest, repeated: [REPEATED] }, rows());
  if (count > 0) await removeSome(trx, tying, count + REMOVED_AT_LEAST);
}

const REPEATED = ['tenant', 'maker_id', 'made_ms'] as const;

// The clock of another process may be ahead.
const keepLatest = () => sql`
  on conflict (tenant, identity_id, maker_id) do update set made_ms = excluded.made_ms
  where excluded.made_ms > identity_tie.made_ms`;

const keepLatestOfProfile = () => sql`
  on conflict (tenant, identity_profile, maker_id) do update set made_ms = excluded.made_ms
  where excluded.made_ms > identity_profile_tie.made_ms`;

// More than are recorded, so that none is kept for good.
const REMOVED_AT_LEAST = 100;
// Twice their time: they still count for a process whose clock is behind.
const KEPT_MS = 2 * TIE_MS;

async function removeSome(trx: Transaction<Tables>, { tenant, madeMs }: Tying, most: number): Promise<void> {
  // Rows that an import is changing are left to it: whoever signs in does not wait for it.
  const oldest = sql`from identity_tie
    where tenant = ${tenant} and made_ms <= ${madeMs - KEPT_MS} order by made_ms limit ${most}`;
  // On PostgreSQL by their places: `deleteSome` says why.
  const isOldest = isPostgres(trx)
    ? sql`ctid = any (array(select ctid ${oldest} for update skip locked))`
    : sql`(identity_id, maker_id) in (select identity_id, maker_id ${oldest})`;
  await sql`delete from identity_tie where tenant = ${tenant} and ${isOldest}`.execute(trx);
}
