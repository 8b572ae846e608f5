import type { Kysely } from 'kysely';
import type { Tables } from '../../schema/tables.ts';
import { latestUsual } from './claim.ts';

/** What the register of a tenant shows of itself. */
export interface RegisterView {
  /** The instant that the register is of; null before the first filling. */
  readonly asOf: string | null;
  readonly policySetVersion: number;
  readonly identities: number;
}

/** The state of a register. Its parts, and the rows of the same snapshot, belong together. */
export interface RegisterState extends RegisterView {
  /** Whether it has the present data and no instant has passed at which time alone changes it. */
  readonly isCurrent: boolean;
  /** The last staged round that was concluded; null where no row is staged or replaced, so that readers see every row. */
  readonly round: number | null;
  /** Another text after each change of the counts; null before the first claim of the register. */
  readonly countsVersion: string | null;
}

/**
 * The state of a register. Its moment is stored: that of its last round, or a later one at which a reader found it to be
 * current. It never goes back while clocks do not, since no reader is told a moment that the next one would not be told.
 */
export async function readRegisterState(db: Kysely<Tables>, tenant: string, now: string): Promise<RegisterState> {
  const head = await readHead(db, tenant);
  if (head === undefined)
    return { asOf: now, policySetVersion: 0, identities: 0, isCurrent: false, round: null, countsVersion: null };
  const { fence, revision, leaseEndMs, as_of: asOf } = head;
  const isFilled = asOf !== null && asOf !== '';
  return {
    asOf: isFilled ? momentOf(asOf, { confirmed: head.confirmed ?? '', now }) : null,
    policySetVersion: isFilled ? (head.knownVersion ?? 0) : 0,
    identities: isFilled ? (head.identities ?? 0) : 0,
    isCurrent:
      isFilled &&
      head.revisionOfTenant === head.knownRevision &&
      head.version === head.knownVersion &&
      head.change_id === head.knownChange &&
      (head.next_due === null || head.next_due > now),
    round: head.staged === null ? null : (head.round ?? 0),
    // After a restore the same revision may come again, with another instant.
    countsVersion: fence === null ? null : JSON.stringify([head.tenantCreated, fence, revision, leaseEndMs, asOf]),
  };
}

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
      'tenant.created as tenantCreated',
      'change.change_id',
    ])
    .select(['head.as_of', 'head.confirmed', 'head.next_due', 'head.identities', 'head.change_id as knownChange'])
    .select(['head.identity_revision as knownRevision', 'head.policy_set_version as knownVersion'])
    .select(['head.fence', 'head.revision', 'head.lease_end_ms as leaseEndMs', 'head.round'])
    .select((eb) =>
      eb
        .selectFrom('register_staged')
        .select('register_staged.round')
        .where('register_staged.tenant', '=', tenant)
        .limit(1)
        .as('staged'),
    )
    .where('tenant.tenant', '=', tenant)
    .executeTakeFirst();

/** A confirmed moment that is ahead of the present was written by a clock that was ahead. */
const momentOf = (asOf: string, { confirmed, now }: { readonly confirmed: string; readonly now: string }): string =>
  confirmed > asOf && confirmed <= latestUsual(Date.parse(now)) ? confirmed : asOf;
