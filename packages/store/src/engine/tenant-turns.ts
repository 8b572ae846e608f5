import type { ArisingWork } from './commits.ts';

/** A tenant with work to claim. */
export interface WaitingTenant {
  readonly tenant: string;
  /** Whether some of it is to be claimed alone. */
  readonly hasAlone: boolean;
}

/** How the tenants are found that have work of one kind. */
export interface WorkOfTenants {
  /** The commits of a tenant that may give it work. */
  readonly arisesFrom: readonly ArisingWork[];
  /** Some tenants by name, those after `servedLast` first. Steps from one to the next through an index. */
  listInTurn(nowMs: number, servedLast: string): Promise<readonly WaitingTenant[]>;
  /** All tenants, by a look at each and without recursion. */
  listAll(nowMs: number): Promise<readonly WaitingTenant[]>;
}

/** The turns in which tenants are served. */
export interface TenantTurns {
  /** Tenants with work to claim, each in its turn. */
  list(nowMs: number): Promise<readonly WaitingTenant[]>;
  /** Ends the turn of a tenant, before a share of its work is claimed. Work that is claimed alone has turns of its own. */
  remove(tenant: string): void;
  /** Nothing of the tenant can be claimed alone now. */
  removeAlone(tenant: string): void;
  /** There may be more. */
  add(tenant: string): void;
}
