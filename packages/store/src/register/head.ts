import type { Kysely } from 'kysely';
import type { Tables } from '../schema/tables.ts';

/** What the register of a tenant shows of itself. */
export interface RegisterView {
  /** The instant that the register is of; null before the first filling. */
  readonly asOf: string | null;
  readonly policySetVersion: number;
  readonly identities: number;
}

/** The same with what names the state of the kept counts. */
export interface CountsView extends RegisterView {
  /** Another text after each change of the counts; null before the first claim of the register. */
  readonly countsVersion: string | null;
}

/**
 * The state of a register. While it has the present data and no instant has passed at which time alone changes it, it is of
 * `now` (ISO 8601), although nothing was written since.
 */
export const readRegisterView = async (db: Kysely<Tables>, tenant: string, now: string): Promise<RegisterView> =>
  viewOf(await readHead(db, tenant), now);

/** The counts that are read after this are those of the version or later ones. */
export async function readCountsView(db: Kysely<Tables>, tenant: string, now: string): Promise<CountsView> {
  const head = await readHead(db, tenant);
  const { fence = null, revision, leaseEndMs, as_of: asOf } = head ?? {};
  // A worker of the version before does not count revisions, but it extends its lease with each change. After a restore the
  // same revision may come again, with another instant.
  return {
    ...viewOf(head, now),
    countsVersion: fence === null ? null : JSON.stringify([fence, revision, leaseEndMs, asOf]),
  };
}

type Head = Awaited<ReturnType<typeof readHead>>;

const readHead = (db: Kysely<Tables>, tenant: string) =>
  db
    .selectFrom('tenant')
    .leftJoin('register_head as head', 'head.tenant', 'tenant.tenant')
    .leftJoin('rulebook_change as change', (join) =>
      join
        .onRef('change.tenant', '=', 'tenant.tenant')
        .onRef('change.policy_set_version', '=', 'tenant.policy_set_version'),
    )
    .select([
      'tenant.identity_revision as revisionOfTenant',
      'tenant.policy_set_version as version',
      'change.change_id',
    ])
    .select(['head.as_of', 'head.next_due', 'head.identities', 'head.change_id as knownChange'])
    .select(['head.identity_revision as knownRevision', 'head.policy_set_version as knownVersion'])
    .select(['head.fence', 'head.revision', 'head.lease_end_ms as leaseEndMs'])
    .where('tenant.tenant', '=', tenant)
    .executeTakeFirst();

function viewOf(head: Head, now: string): RegisterView {
  if (head === undefined) return { asOf: now, policySetVersion: 0, identities: 0 };
  const { as_of: asOf, next_due: nextDue, knownVersion } = head;
  if (asOf === null || asOf === '') return { asOf: null, policySetVersion: 0, identities: 0 };
  const isCurrent =
    head.revisionOfTenant === head.knownRevision &&
    head.version === knownVersion &&
    head.change_id === head.knownChange &&
    (nextDue === null || nextDue > now);
  return {
    asOf: isCurrent && now > asOf ? now : asOf,
    policySetVersion: knownVersion ?? 0,
    identities: head.identities ?? 0,
  };
}
