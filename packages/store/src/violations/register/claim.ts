import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { type ClaimTime, hasEnded } from '../../queue/leased-table.ts';
import { claimUnlessBlocked, compareText, createTenantSearch, type SearchScope } from '../../queue/tenant-search.ts';
import type { RulebookVersion } from '../../rulebook/versions.ts';
import type { Tables } from '../../schema/tables.ts';
import { latestUsual } from './head.ts';

/** A register that a worker may change until its lease ends, with the data that it has. */
export interface RegisterClaim extends RulebookVersion {
  readonly tenant: string;
  /** Since when there was something to do, in ISO 8601; null where that is not known. */
  readonly since: string | null;
  readonly fence: number;
  readonly identityRevision: number;
  /** Null before the first filling. */
  readonly asOf: string | null;
  /** When everything is to be compared. */
  readonly compareDue: string;
}

// When another worker takes the first candidate, this one tries the next.
const CANDIDATES = 10;
const TENANTS_AT_ONCE = 200;

/** Claims of registers; a call of one that is no longer held returns false. */
export interface RegisterClaims {
  /** Claims the register of a tenant whose data have changed, whose time has come or that is of the future; null if there is none. */
  claim(request: ClaimTime): Promise<RegisterClaim | null>;
  renew(claim: RegisterClaim, leaseEndMs: number): Promise<boolean>;
  release(claim: RegisterClaim, availableAtMs: number): Promise<void>;
  /** Makes a full comparison due for registers whose last one was before an instant, or is in the future. */
  demandComparisons(now: string, comparedBefore: string): Promise<void>;
}

/** Claims of registers. What a claim writes has an effect only while its fence is the latest. */
export function createRegisterClaims(database: Database): RegisterClaims {
  const findCandidates = createTenantSearch<ClaimTime, Candidate>({
    changedTenants: database.changedTenants,
    arisesFrom: ['any', 'register'],
    read: (request, scope) => readCandidates(database, request, scope),
    compare: (one, other) => compareText(one.as_of, other.as_of),
  });
  return {
    claim: async (request) => {
      for (const candidate of await findCandidates(request, CANDIDATES)) {
        const claimed = await claimUnlessBlocked(database, take(database, candidate, request));
        if (claimed !== null) return claimed;
      }
      return null;
    },
    renew: (claim, leaseEndMs) => database.write(scopeOf(claim), (trx) => extendLease(trx, claim, leaseEndMs)),
    release: async (claim, availableAtMs) => {
      await database.write(scopeOf(claim), (trx) =>
        // A renewal that is under way has no effect after this.
        trx
          .updateTable('register_head')
          .set({ lease_end_ms: availableAtMs, fence: claim.fence + 1 })
          .where('tenant', '=', claim.tenant)
          .where('fence', '=', claim.fence)
          .execute(),
      );
    },
    demandComparisons: (now, comparedBefore) => demandComparisons(database, now, comparedBefore),
  };
}

const isLeaseEnded = ({ nowMs }: ClaimTime) => hasEnded(sql.ref('register_head.lease_end_ms'), nowMs);

/** A tenant with something to do, and since when; null where that is not known. */
interface Candidate {
  readonly tenant: string;
  readonly since: string | null;
  /** The instant that its register is of. */
  readonly as_of: string;
}

/** Tenants with changed data, with an instant that has come, or whose register is of the future; the one whose register is the oldest comes first. */
async function readCandidates(
  { read }: Database,
  request: ClaimTime,
  scope: SearchScope,
): Promise<readonly Candidate[]> {
  const ofTenant = 'tenant' in scope ? sql`tenant = ${scope.tenant} and` : sql``;
  const now = new Date(request.nowMs).toISOString();
  const { rows } = await read((db) =>
    sql<Candidate>`
      select due.tenant, min(due.since) as since, coalesce(register_head.as_of, '') as as_of from (
        select tenant, register_behind_since as since from tenant where ${ofTenant} register_behind_since is not null
        union all select tenant, next_due from register_head where ${ofTenant} next_due <= ${now}
        union all select tenant, nullif(compare_due, '') from register_head where ${ofTenant} compare_due <= ${now}
        union all select tenant, null from register_head where ${ofTenant} as_of > ${latestUsual(request.nowMs)}
      ) as due left join register_head on register_head.tenant = due.tenant
      where register_head.tenant is null or ${isLeaseEnded(request)}
      group by due.tenant, register_head.as_of
      order by as_of limit ${'limit' in scope ? scope.limit : CANDIDATES}`.execute(db),
  );
  return rows;
}

async function take(
  database: Database,
  { tenant, since }: Candidate,
  request: ClaimTime,
): Promise<RegisterClaim | null> {
  const leaseEndMs = request.nowMs + request.leaseMs;
  const [row] = await database.write({ tenant, changes: 'register', isLease: true }, (trx) =>
    trx
      .insertInto('register_head')
      .values({
        tenant,
        fence: 1,
        lease_end_ms: leaseEndMs,
        identity_revision: 0,
        policy_set_version: 0,
        change_id: null,
        as_of: '',
        next_due: null,
        expired_end: '',
        expired_id: '',
        compare_due: '',
        identities: 0,
        compared: null,
        corrected: 0,
      })
      .onConflict((conflict) =>
        conflict
          .column('tenant')
          .doUpdateSet((eb) => ({ fence: eb('register_head.fence', '+', 1), lease_end_ms: leaseEndMs }))
          .where(isLeaseEnded(request)),
      )
      .returningAll()
      .execute(),
  );
  if (row === undefined) return null;
  return {
    tenant,
    since,
    fence: row.fence,
    identityRevision: row.identity_revision,
    policySetVersion: row.policy_set_version,
    changeId: row.change_id,
    asOf: row.as_of === '' ? null : row.as_of,
    compareDue: row.compare_due,
  };
}

export const scopeOf = ({ tenant }: Pick<RegisterClaim, 'tenant'>) => ({ tenant, changes: 'register' as const });

/** Extends the lease of a claim; false if another worker holds the register. Until the transaction ends, none can take it. */
export async function extendLease(
  trx: Transaction<Tables>,
  { tenant, fence }: RegisterClaim,
  leaseEndMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('register_head')
    .set({ lease_end_ms: leaseEndMs })
    .where('tenant', '=', tenant)
    .where('fence', '=', fence)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function demandComparisons(database: Database, now: string, comparedBefore: string): Promise<void> {
  for (let after = ''; ; ) {
    const tenants = await database.read((db) => tenantsToCompare(db, { after, now, comparedBefore }));
    for (const tenant of tenants)
      await database.write({ tenant, changes: 'register' }, (trx) =>
        trx
          .updateTable('register_head')
          .set({ compare_due: now })
          .where('tenant', '=', tenant)
          .where('compare_due', '>', now)
          .execute(),
      );
    const last = tenants.at(-1);
    if (last === undefined || tenants.length < TENANTS_AT_ONCE) return;
    after = last;
  }
}

async function tenantsToCompare(
  db: Kysely<Tables>,
  { after, now, comparedBefore }: { readonly after: string; readonly now: string; readonly comparedBefore: string },
): Promise<readonly string[]> {
  const { rows } = await sql<{ tenant: string }>`
    select tenant from register_head where tenant > ${after}
      and (coalesce(compared, '') < ${comparedBefore} or compared > ${now})
    order by tenant limit ${TENANTS_AT_ONCE}`.execute(db);
  return rows.map(({ tenant }) => tenant);
}
