import {
  type AdminGroup,
  type AuditContext,
  type Conflict,
  fail,
  type SignInGuard,
  type SignInView,
} from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../engine/database.ts';
import { isPostgres } from '../engine/is-postgres.ts';
import { lockLine } from '../engine/postgres/lock-line.ts';
import { changeScope } from '../engine/scope.ts';
import type { Tables } from '../schema/tables.ts';
import { rowToFactors, withFactors } from './factors.ts';
import { readSignInSettings } from './settings.ts';

/** Rolls back the transaction of a change that is refused. */
export class Refused<F> extends Error {
  readonly failure: F;

  constructor(failure: F) {
    super('The change is refused.');
    this.failure = failure;
  }
}

type Refusal<F = Conflict> = { readonly ok: false; readonly failure: F };

/** Returns the failure of a write that `Refused` has rolled back, as `guarded` does. */
export async function catchRefusal<R, F = Conflict>(write: () => Promise<R>): Promise<R | Refusal<F>> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Refused) return fail(error.failure);
    throw error;
  }
}

/** How a change is guarded. */
interface Guarded {
  readonly tenant: string;
  /** Every change is allowed if left out. */
  readonly guard: SignInGuard | undefined;
  /** An identity that counts as if it could not sign in afterwards. */
  readonly leaving?: string | null;
}

/**
 * Makes a change unless it takes away that an administrator can sign in: then it is rolled back. Call it at the beginning of
 * the transaction, within `catchRefusal`: such changes of a tenant wait for each other, whatever their scope.
 */
export async function guarded<R extends { readonly ok: boolean }>(
  trx: Transaction<Tables>,
  { tenant, guard, leaving = null }: Guarded,
  change: () => Promise<R>,
): Promise<R> {
  if (guard === undefined) return change();
  await waitForOtherGuarded(trx, tenant);
  if (!guard.holds(await readSignInView(trx, tenant))) return change();
  const result = await change();
  if (result.ok && !guard.holds(await readSignInView(trx, tenant, leaving))) throw new Refused(guard.refusal);
  return result;
}

/** Writes within the scope of the tenant, guarded. */
export const writeGuarded = <R extends { readonly ok: boolean }>(
  database: Pick<Database, 'write'>,
  { auditContext, guard }: { readonly auditContext: AuditContext; readonly guard: SignInGuard | undefined },
  change: (trx: Transaction<Tables>) => Promise<R>,
): Promise<R | Refusal> =>
  catchRefusal(() =>
    database.write(changeScope(auditContext), (trx) =>
      guarded(trx, { tenant: auditContext.tenant, guard }, () => change(trx)),
    ),
  );

/** SQLite writes one transaction at a time. */
async function waitForOtherGuarded(trx: Transaction<Tables>, tenant: string): Promise<void> {
  if (isPostgres(trx)) await lockLine(trx, tenant, 'administrators');
}

/** What the guard of sign-ins is decided on, without an identity where one is given. */
export async function readSignInView(
  db: Kysely<Tables>,
  tenant: string,
  without: string | null = null,
): Promise<SignInView> {
  const { network } = await readSignInSettings(db, tenant);
  return { admins: await readAdminGroups(db, tenant, without), network };
}

async function readAdminGroups(
  db: Kysely<Tables>,
  tenant: string,
  without: string | null,
): Promise<readonly AdminGroup[]> {
  const rows = await withFactors(db.selectFrom('identity'), tenant)
    .distinct()
    .where('identity.tenant', '=', tenant)
    // A literal, because the partial index does not match a parameter.
    .where('identity.is_org_admin', '=', sql.lit(1))
    .$if(without !== null, (query) => query.where('identity.id', '<>', without))
    .execute();
  return rows.map(rowToFactors);
}
