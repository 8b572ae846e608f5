import type { Kysely } from 'kysely';
import { readRulebookVersion } from '../rulebook/change-log.ts';
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
  const head = await db.selectFrom('register_head').selectAll().where('tenant', '=', tenant).executeTakeFirst();
  const data = await db
    .selectFrom('tenant')
    .select('identity_revision')
    .where('tenant', '=', tenant)
    .executeTakeFirst();
  if (head === undefined || head.as_of === '')
    return { asOf: data === undefined ? now : null, policySetVersion: 0, identities: 0 };
  const { as_of, next_due, policy_set_version: policySetVersion, identities } = head;
  const version = await readRulebookVersion(db, tenant);
  const isCurrent =
    data?.identity_revision === head.identity_revision &&
    version.policySetVersion === policySetVersion &&
    version.changeId === head.change_id &&
    (next_due === null || next_due > now);
  return { asOf: isCurrent && now > as_of ? now : as_of, policySetVersion, identities };
}
