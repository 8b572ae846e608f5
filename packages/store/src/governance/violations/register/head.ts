import type { Kysely } from 'kysely';
import type { Tables } from '../../../schema/tables.ts';

/** What the register of a tenant shows of itself. */
export interface RegisterView {
  /** The instant up to which the register is complete; null before the first filling. */
  readonly asOf: string | null;
  readonly policySetVersion: number;
  readonly identities: number;
}

/** A register of a later instant than this was written by a clock that was ahead; workers' clocks differ by less. */
export const latestUsual = (nowMs: number): string => new Date(nowMs + 5_000).toISOString();

/** Reads what the register shows of itself. `now`, ISO 8601, was read before the snapshot. */
export async function readRegisterView(db: Kysely<Tables>, tenant: string, now: string): Promise<RegisterView> {
  const head = await readHead(db, tenant);
  if (head === undefined) return { asOf: now, policySetVersion: 0, identities: 0 };
  const { asOf, policySetVersion, identities } = head;
  if (asOf === '') return { asOf: null, policySetVersion: 0, identities: 0 };
  return { asOf: completeUntil(head, now), policySetVersion, identities };
}

type Head = NonNullable<Awaited<ReturnType<typeof readHead>>>;

/** The instant of the last round, or a later one until which neither data nor time have changed anything. */
function completeUntil(head: Head, now: string): string {
  const { asOf, nextDue } = head;
  const isCurrent =
    head.revisionOfTenant === head.identityRevision &&
    head.versionOfTenant === head.policySetVersion &&
    head.changeOfTenant === head.changeId;
  const unchangedUntil = isCurrent ? now : (head.behindSince ?? asOf);
  // Clocks of servers differ a little.
  if (unchangedUntil < asOf || unchangedUntil > now) return asOf;
  const isDue = nextDue !== null && nextDue <= unchangedUntil;
  const until = isDue ? new Date(Date.parse(nextDue) - 1).toISOString() : unchangedUntil;
  // A due instant may have come before the last round.
  if (until < asOf) return asOf;
  return until;
}

const readHead = (db: Kysely<Tables>, tenant: string) =>
  db
    .selectFrom('tenant')
    .innerJoin('register_head as head', 'head.tenant', 'tenant.tenant')
    .leftJoin('rulebook_change as change', (join) =>
      join
        .onRef('change.tenant', '=', 'tenant.tenant')
        .onRef('change.policy_set_version', '=', 'tenant.policy_set_version'),
    )
    .select([
      'tenant.identity_revision as revisionOfTenant',
      'tenant.policy_set_version as versionOfTenant',
      'tenant.register_behind_since as behindSince',
      'change.change_id as changeOfTenant',
      'head.as_of as asOf',
      'head.next_due as nextDue',
      'head.identities',
      'head.identity_revision as identityRevision',
      'head.policy_set_version as policySetVersion',
      'head.change_id as changeId',
    ])
    .where('tenant.tenant', '=', tenant)
    .executeTakeFirst();
