import type { Kysely } from 'kysely';
import type { Tables } from '../schema/tables.ts';

/** What the register of a tenant shows of itself. */
export interface RegisterView {
  /** The instant that the register is of; null before the first filling. */
  readonly asOf: string | null;
  readonly policySetVersion: number;
  readonly identities: number;
}

/**
 * The state of a register. While it has the present data and no instant has passed at which time alone changes it, it is of
 * `now` (ISO 8601), although nothing was written since.
 */
export async function readRegisterView(db: Kysely<Tables>, tenant: string, now: string): Promise<RegisterView> {
  const row = await db
    .selectFrom('tenant')
    .leftJoin('register_head as head', 'head.tenant', 'tenant.tenant')
    .leftJoin('rulebook_change as change', (join) =>
      join
        .onRef('change.tenant', '=', 'tenant.tenant')
        .onRef('change.policy_set_version', '=', 'tenant.policy_set_version'),
    )
    .select(['tenant.identity_revision as revision', 'tenant.policy_set_version as version', 'change.change_id'])
    .select(['head.as_of', 'head.next_due', 'head.identities', 'head.change_id as knownChange'])
    .select(['head.identity_revision as knownRevision', 'head.policy_set_version as knownVersion'])
    .where('tenant.tenant', '=', tenant)
    .executeTakeFirst();
  if (row === undefined) return { asOf: now, policySetVersion: 0, identities: 0 };
  const { as_of: asOf, next_due: nextDue, knownVersion } = row;
  if (asOf === null || asOf === '') return { asOf: null, policySetVersion: 0, identities: 0 };
  const isCurrent =
    row.revision === row.knownRevision &&
    row.version === knownVersion &&
    row.change_id === row.knownChange &&
    (nextDue === null || nextDue > now);
  return {
    asOf: isCurrent && now > asOf ? now : asOf,
    policySetVersion: knownVersion ?? 0,
    identities: row.identities ?? 0,
  };
}
