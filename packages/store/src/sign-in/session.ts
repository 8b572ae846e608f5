import type { AuditContext, Capability, NotFound, Result, SessionConfig } from '@access-admin/domain';
import type { Failed } from '../engine/change.ts';
import type { MaybePromise } from '../engine/concurrency/maybe-promise.ts';
import type { Page } from '../query/page.ts';

/** A way to prove an identity. `APPLICATION` is a provider outside of this service. */
export type SignInFactor = 'PASSWORD' | 'PASSKEY' | 'TOTP' | 'RECOVERY_CODE' | 'LINK' | 'APPLICATION';

/** A session of an identity, as of its last touch. Times are in milliseconds since 1970. */
export interface StoredSession {
  /** Names the session to callers; it is no secret. */
  readonly id: string;
  readonly identityId: string;
  readonly factors: readonly SignInFactor[];
  /** The generation of the link that it began with, with which it ends; null or left out for none. */
  readonly linkGeneration?: number | null;
  /** The used link that it derives from, directly or through a factor, and ends with; null or omitted for none. */
  readonly usedLink?: string | null;
  readonly isFramed: boolean;
  /** From where it began; null where that is not known. */
  readonly address: string | null;
  readonly createdMs: number;
  /** When a factor was proven last. */
  readonly provenMs: number;
  /** The last activity; later ones within a minute, less with a short idle time, may not be stored. */
  readonly activeMs: number;
  readonly expiresMs: number;
  readonly idleExpiresMs: number;
}

/** A session with what its identity is and may now. */
export interface CallingSession extends StoredSession {
  readonly displayName: string | null;
  readonly capabilities: readonly Capability[];
  /** The present settings of its tenant. */
  readonly config: SessionConfig;
}

export interface NewSession extends Omit<StoredSession, 'provenMs' | 'activeMs'> {
  /** SHA-256 of the token, in hexadecimal digits. */
  readonly hash: string;
}

/** Which sessions a list has: those that can still be used at `nowMs`. */
export interface SessionQuery {
  /** Those of all identities if left out. */
  readonly identityId?: string;
  readonly nowMs: number;
  /** Sessions that are older, or were idle since then, have ended under the present settings. */
  readonly createdAfterMs: number;
  readonly activeAfterMs: number;
}

/** The sessions of a tenant. */
export interface SessionStore {
  /** Records the sign-in. False when there is no such identity, or the link that it began with has ended. The oldest sessions end beyond 100 of an identity. */
  create(auditContext: AuditContext, session: NewSession): Promise<boolean>;
  /** Read on every request: stays in memory until a commit may have changed it, but for `touch`. Null also where its auth profile blocks. */
  find(tenant: string, hash: string): MaybePromise<CallingSession | null>;
  /** The same from the database, with the latest touch of all processes. */
  findLatest(tenant: string, hash: string): Promise<CallingSession | null>;
  /** Keeps a later activity. */
  touch(tenant: string, hash: string, times: Pick<StoredSession, 'activeMs' | 'idleExpiresMs'>): Promise<void>;
  /** Keeps that factors were proven again. */
  prove(tenant: string, hash: string, proof: Pick<StoredSession, 'provenMs' | 'factors'>): Promise<void>;
  /** The identity of a session; null without one of this id. */
  findOwner(tenant: string, id: string): Promise<string | null>;
  /** The sessions by id. */
  list(tenant: string, query: SessionQuery, page: Page): Promise<readonly StoredSession[]>;
  count(tenant: string, query: SessionQuery): Promise<number>;
  /** Decides and ends in one transaction; records it. */
  end<F extends Failed = never>(
    auditContext: AuditContext,
    id: string,
    decide?: (session: StoredSession) => Result<unknown, F>,
  ): Promise<Result<null, F | NotFound>>;
}
