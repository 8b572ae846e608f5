import type { Transaction } from 'kysely';
import type { MaybePromise } from '../concurrency/maybe-promise.ts';
import type { SessionRow, Tables } from '../schema/tables.ts';

/** The rows of hot reads by query. Each query finds one row or none for a tenant and an id. */
export interface HotRows {
  /** The client with this id, and the capabilities of its identity. */
  readonly callers: {
    readonly identity_id: string | null;
    readonly capabilities: string | null;
    readonly scopes: string;
    readonly is_bootstrap: number;
    readonly created: string;
    readonly secret_version: number;
    readonly previous_secret_ends_ms: number | null;
    /** JSON: array of strings; null where nobody is compared. The second is of the secret before. */
    readonly maker_capabilities: string | null;
    readonly previous_maker_capabilities: string | null;
    readonly is_session_bound: number;
  };
  /** The capabilities and the creation of the identity with this id. */
  readonly capabilities: { readonly capabilities: string; readonly created_ms: number };
  /** The session with this hash of its token, unless its auth profile blocks, or the link that it began with has ended. */
  readonly sessions: Omit<SessionRow, 'tenant' | 'hash'> & {
    readonly display_name: string | null;
    readonly capabilities: string;
    /** JSON: the session config of the tenant; null for the default. */
    readonly config: string | null;
  };
  /** Whether the tenant is being removed, whatever the id. The reads above find nothing of one that is. */
  readonly removals: { readonly is_removed: number };
  /** When a tenant with this name was removed last, whatever the id. It may exist again. */
  readonly removedNames: { readonly removed_ms: number };
  /** The settings of sign-in of the tenant, whatever the id. */
  readonly settings: Omit<Tables['sign_in_settings'], 'tenant'>;
  /** The version of the rulebook and of the identity with this id. */
  readonly versions: {
    readonly policy_set_version: number | null;
    readonly change_id: string | null;
    readonly revision: number | null;
    /** JSON: array of `[policy id, id, start, end, approved, terms, items]` of exceptions that are approved, and neither revoked nor void; null for none. */
    readonly exceptions: string | null;
    /** The assignments, where the engine reads them along; null also where they are many. */
    readonly access: string | null;
  };
  /** The assignments of the identity with this id. */
  readonly assignments: {
    readonly policy_set_version: number | null;
    readonly revision: number;
    readonly access: string;
  };
}

type Query = keyof HotRows;
export type DecodeHotRow<Q extends Query, T> = (row: HotRows[Q] | undefined) => T;

/** The reads of every request. An engine brings the SQL and its fastest way to run it; the aggregates decode the rows. */
export interface HotReads {
  /** A read that goes to the database each time. */
  read<Q extends Query, T>(query: Q, decode: DecodeHotRow<Q, T>): (tenant: string, id: string) => Promise<T>;
  /** Reads in the transaction of a write. */
  within<Q extends Query, T>(
    query: Q,
    decode: DecodeHotRow<Q, T>,
  ): (trx: Transaction<Tables>, tenant: string, id: string) => Promise<T>;
  /** A read whose result stays in memory, unless it is null, until a commit may have changed it. Where `kept` is given, what that makes of a result stays. */
  cached<Q extends Query, T extends object | null>(
    query: Q,
    decode: DecodeHotRow<Q, T>,
    kept?: (result: T & {}) => T & {},
  ): (tenant: string, id: string) => MaybePromise<T>;
}
