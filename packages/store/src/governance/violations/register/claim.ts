import { sql } from 'kysely';
import type { Database } from '../../../engine/database.ts';
import type { RulebookVersion } from '../../../policies/rulebook/versions.ts';
import type { LeasedTable } from '../../../queue/leased-table.ts';
import { type ClaimRequest, createLeasedQueue, type LeasedQueue } from '../../../queue/queue.ts';
import type { RegisterHeadRow } from '../../../schema/tables.ts';
import { latestUsual } from './head.ts';

/** A register that a worker may change until its lease ends, with the data that it has. */
export interface RegisterClaim extends RulebookVersion {
  readonly tenant: string;
  readonly fence: number;
  /** Since when there was something to do, in ISO 8601; null where that is not known. */
  readonly since: string | null;
  readonly identityRevision: number;
  /** Null before the first filling. */
  readonly asOf: string | null;
  /** When everything is to be compared. */
  readonly compareDue: string;
}

/** Claims of registers, as `LeasedQueue` describes them. */
export interface RegisterClaims {
  /** Claims registers of tenants whose data have changed, whose time has come, or whose instant a fast clock wrote. */
  claim(request: ClaimRequest): Promise<readonly RegisterClaim[]>;
  /** Returns the claims that are still held. */
  renew(claims: readonly RegisterClaim[], leaseEndMs: number): Promise<readonly RegisterClaim[]>;
  release(claim: RegisterClaim, availableAtMs: number): Promise<void>;
}

export type RegisterQueue = LeasedQueue<RegisterHeadRow>;

const timeOf = (ms: number): string => new Date(ms).toISOString();

/** The heads of registers. The instants have an index over all tenants each, and so has the mark of changed data. */
const LEASED_REGISTERS = {
  name: 'register_head',
  id: 'tenant',
  pending: (nowMs, tenant) => sql<boolean>`(register_head.next_due <= ${timeOf(nowMs)}
    or register_head.compare_due <= ${timeOf(nowMs)} or register_head.as_of > ${latestUsual(nowMs)}
    or exists (select 1 from tenant where tenant.tenant = ${tenant} and register_behind_since is not null))`,
  waiting: (nowMs) => sql`
    select tenant from tenant where register_behind_since is not null
    union select tenant from register_head where next_due <= ${timeOf(nowMs)}
    union select tenant from register_head where compare_due <= ${timeOf(nowMs)}
    union select tenant from register_head where as_of > ${latestUsual(nowMs)}`,
  sharedPerAlone: null,
  order: 'tenant',
  arisesFrom: ['any', 'register'],
} as const satisfies LeasedTable;

export const createRegisterQueue = (database: Database): RegisterQueue => createLeasedQueue(database, LEASED_REGISTERS);

export const createRegisterClaims = (database: Database, queue: RegisterQueue): RegisterClaims => ({
  claim: async (request) => {
    const claims: RegisterClaim[] = [];
    for (const row of await queue.claim(request))
      claims.push(rowToClaim(row, await readSince(database, row, timeOf(request.nowMs))));
    return claims;
  },
  renew: async (claims, leaseEndMs) => {
    const held = await queue.renew(
      claims.map((claim) => ({ ...keyOf(claim), claim })),
      leaseEndMs,
    );
    return held.map(({ claim }) => claim);
  },
  release: async (claim, availableAtMs) => {
    await queue.release([keyOf(claim)], { availableAtMs, isAttempt: false });
    // What has changed during the round was found to be held.
    database.announceWork(claim.tenant, 'register');
  },
});

/** The claim as the queue knows it: a tenant has one register. */
export const keyOf = ({ tenant, fence }: RegisterClaim) => ({ tenant, id: tenant, fence });

export const scopeOf = ({ tenant }: RegisterClaim) => ({ tenant, changes: 'register' as const });

const rowToClaim = (row: RegisterHeadRow, since: string | null): RegisterClaim => ({
  tenant: row.tenant,
  fence: row.fence,
  since,
  identityRevision: row.identity_revision,
  policySetVersion: row.policy_set_version,
  changeId: row.change_id,
  asOf: row.as_of === '' ? null : row.as_of,
  compareDue: row.compare_due,
});

async function readSince(
  { read }: Database,
  { tenant, next_due, compare_due }: RegisterHeadRow,
  now: string,
): Promise<string | null> {
  const changed = await read((db) =>
    db.selectFrom('tenant').select('register_behind_since').where('tenant', '=', tenant).executeTakeFirst(),
  );
  const dues = [next_due, compare_due].filter((due) => due !== null && due !== '' && due <= now);
  return [changed?.register_behind_since ?? null, ...dues].filter((since) => since !== null).toSorted()[0] ?? null;
}
