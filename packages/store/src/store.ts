import type {
  AccessModelRecord,
  ApprovedException,
  AuditContext,
  AuthProfile,
  AuthProfileSummary,
  AuthUser,
  Capability,
  Catalogue,
  Explanation,
  ImportBase,
  ImportPlan,
  ImportRecord,
  NotFound,
  PolicyChanges,
  Result,
  SodCheck,
  SodCheckResult,
  SodInclude,
  SodPolicy,
  TimedAccessRef,
  UiMetadata,
} from '@access-admin/domain';
import type { AuditStore } from './audit-store.ts';
import type { ExplanationRequest } from './explain-store.ts';
import type { SodReportStore } from './report-store.ts';
import type { SigningKeyStore } from './signing-key-store.ts';
import type { SodExceptionStore } from './sod-exception-store.ts';
import type { SodPolicyStore } from './sod-policy-store.ts';

/** A registered client of the token endpoint. */
export interface Client {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** The identity that the client acts as; null for an application. */
  readonly identityId: string | null;
  readonly created: string;
}

/** A client with the hash of its secret, in a form that only the API understands. */
export interface ClientWithSecret extends Client {
  readonly secretHash: string;
}

/** What authorisation needs to know of a caller at this moment. */
export interface CallerRecord {
  /** Null for an application. */
  readonly identityId: string | null;
  /** Null when the client acts as an identity that is gone; empty for an application. */
  readonly capabilities: readonly Capability[] | null;
}

/** A page of a list: 1 to 250 rows from `offset`, ordered by id in code-unit order. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** At once where it is in memory, for the reads of every request: a wait would cost more than the read. */
export type Remembered<T> = T | Promise<T>;

export interface ClientStore {
  /** Stores the client and brings its tenant into being where it is new. `identityGone` when `identityId` names no identity of the tenant. */
  create(auditContext: AuditContext, client: ClientWithSecret): Promise<'created' | 'identityGone'>;
  /** Whether the store has any client, of any tenant. */
  hasAny(): Promise<boolean>;
  /** Stores the client only when the store has no client at all; false otherwise. Safe under concurrent starts. */
  createFirst(client: ClientWithSecret): Promise<boolean>;
  find(tenant: string, id: string): Promise<Client | null>;
  /** For the token endpoint, which learns the tenant from the client. */
  findForToken(id: string): Promise<ClientWithSecret | null>;
  list(tenant: string, page: Page): Promise<readonly Client[]>;
  count(tenant: string): Promise<number>;
  delete(auditContext: AuditContext, id: string): Promise<boolean>;
  /** Read on every request: null when the client is gone. */
  findCaller(tenant: string, clientId: string): Remembered<CallerRecord | null>;
  /** Capabilities of an identity, for tokens of an external issuer; null when it is gone. */
  findCapabilities(tenant: string, identityId: string): Remembered<readonly Capability[] | null>;
}

/** What the decision about a change of an auth user needs. */
export interface AuthUserView {
  readonly user: AuthUser;
  /** Whether another identity of the tenant has `ORG_ADMIN`. */
  readonly otherOrgAdmins: boolean;
}

export interface AuthUserStore {
  find(tenant: string, id: string): Promise<AuthUser | null>;
  /** Reads, decides and stores the capabilities in one transaction; a failure of the decision changes nothing. */
  change<F>(
    auditContext: AuditContext,
    id: string,
    decide: (view: AuthUserView) => Result<AuthUser, F>,
  ): Promise<Result<AuthUser, F | NotFound>>;
}

export interface AuthProfileStore {
  list(tenant: string, page: Page): Promise<readonly AuthProfileSummary[]>;
  count(tenant: string): Promise<number>;
  find(tenant: string, id: string): Promise<AuthProfile | null>;
  /** Reads, decides and stores in one transaction. */
  change<F>(
    auditContext: AuditContext,
    id: string,
    decide: (profile: AuthProfile) => Result<AuthProfile, F>,
  ): Promise<Result<AuthProfile, F | NotFound>>;
}

export interface UiMetadataStore {
  /** Three nulls where nothing is set. */
  read(tenant: string): Promise<UiMetadata>;
  /** Reads, decides and stores in one transaction. */
  change<F>(
    auditContext: AuditContext,
    decide: (metadata: UiMetadata) => Result<UiMetadata, F>,
  ): Promise<Result<UiMetadata, F>>;
}

export interface AccessModelStore {
  /**
   * Gathers what the decision needs, decides and commits in one transaction; a failure changes nothing.
   * Other requests go on while a large import runs.
   */
  import<F>(
    request: { readonly auditContext: AuditContext; readonly records: readonly ImportRecord[] },
    decide: (base: ImportBase) => Result<ImportPlan, F>,
  ): Promise<Result<{ readonly plan: ImportPlan; readonly policySetVersion: number }, F>>;
  /** All records of the tenant in an order in which they can be imported, from one consistent snapshot. */
  export(tenant: string): AsyncIterable<AccessModelRecord>;
}

/** One state of a tenant's rulebook. */
export interface RulebookVersion {
  readonly policySetVersion: number;
  /** Tells states of the same version apart, which a database that was put back may have; null for a tenant without rulebook. */
  readonly changeId: string | null;
}

/** The tenant's rulebook, read in one transaction. */
export interface Rulebook extends RulebookVersion {
  readonly catalogue: Catalogue;
  /** Every policy, enforced or not. */
  readonly policies: readonly SodPolicy[];
}

/** What makes an earlier state of the rulebook this one: the policies written since as they are now, enforced or not, and those gone. */
export interface RulebookChanges extends RulebookVersion, PolicyChanges {}

/** A compiled rulebook as its compiler packed it. */
export interface RulebookPack extends RulebookVersion {
  readonly bytes: Uint8Array;
}

/** Moves with each change of the identity (`revision`) and of the rulebook. */
export interface IdentityVersion extends RulebookVersion {
  /** Null when there is no such identity. */
  readonly revision: number | null;
  /** What it has approved exceptions for, in force, past or to come, by id; null for none. They change with its revision. */
  readonly exceptions: readonly ApprovedException[] | null;
}

/** The reads behind predict and check; the first is on the hottest path. */
export interface SodStore {
  /** One atomic read: all that this process has committed, and what others had committed a turn of the event loop ago on SQLite, a second ago on PostgreSQL. A tenant without data has version 0. */
  readVersion(tenant: string, identityId: string): Remembered<IdentityVersion>;
  /** The assignments of the identity as of one moment; null when there is no such identity. */
  readAssignments(
    tenant: string,
    identityId: string,
  ): Promise<{
    readonly policySetVersion: number;
    readonly revision: number;
    readonly access: readonly TimedAccessRef[];
  } | null>;
  /** What explains the violations, as of one moment; null when the rulebook or the identity is not of this version any more, or not yet. */
  readExplanation(tenant: string, request: ExplanationRequest): Promise<Explanation | null>;
  loadRulebook(tenant: string): Promise<Rulebook>;
  /** What has changed since, as of one moment; null when the store cannot tell, or more than some policies have changed. */
  readPolicyChanges(tenant: string, since: RulebookVersion): Promise<RulebookChanges | null>;
  /** The latest pack and what has changed since it, as of one moment; null when there is none or the store cannot tell. */
  loadPack(tenant: string): Promise<{ readonly pack: RulebookPack; readonly changes: RulebookChanges } | null>;
  /** Keeps a pack, in many small writes, unless the rulebook has moved on from it by more than some policies. */
  savePack(tenant: string, pack: RulebookPack): Promise<void>;
  /** Aborted, with a `StorageUnavailable`, once the store closes: for long work on what it gave. */
  readonly closing: AbortSignal;
}

/** A check to be stored. */
export interface NewCheck {
  readonly tenant: string;
  readonly requestId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly created: string;
  readonly identityId: string;
  readonly accessRefs: readonly TimedAccessRef[];
  /** The only moment that counts; every one from its evaluation on if left out. */
  readonly at?: string | null;
  readonly clientMetadata: Readonly<Record<string, string>> | null;
  /** What its result is to have besides; nothing if left out. */
  readonly includes?: readonly SodInclude[];
}

/** A check that a worker may work on until its lease ends. */
export interface ClaimedCheck extends NewCheck {
  /** The fencing token: only the latest claim of a check can complete it. */
  readonly fence: number;
  /** How often the check has been claimed, this time included. */
  readonly attempts: number;
  readonly includes: readonly SodInclude[];
}

/** The end of one claim. */
export interface CheckCompletion {
  readonly tenant: string;
  readonly requestId: string;
  readonly fence: number;
  readonly state: 'SUCCESS' | 'ERROR';
  /** ISO 8601 in UTC with milliseconds. */
  readonly completed: string;
  readonly result: SodCheckResult;
}

/** The longest that a worker may put off a check that it gives back: what is off further than this and a lease was set by a clock that was ahead. */
export const RETRY_DELAY_MS_MAX = 10_000;

/** The check is one row that is both queue entry and result. */
export interface CheckQueue {
  /** Resolves once the check is durably stored; calls of one event-loop turn share a commit. One whose id is there already is left as it is. `backlogFull` when the tenant has `backlogMax` pending checks. */
  enqueue(check: NewCheck, backlogMax: number): Promise<'stored' | 'backlogFull'>;
  find(tenant: string, requestId: string): Promise<SodCheck | null>;
  /** Takes up to `limit` pending checks: first those whose lease has ended, then those that nobody has claimed, from each tenant in turn its oldest; never one with `attemptsMax` attempts behind it. */
  claim(request: {
    readonly nowMs: number;
    readonly leaseMs: number;
    readonly limit: number;
    readonly attemptsMax: number;
  }): Promise<readonly ClaimedCheck[]>;
  /** Stores results in one transaction. A completion whose fence is not the check's latest, or whose check is done, has no effect. Returns how many took effect. */
  complete(completions: readonly CheckCompletion[]): Promise<number>;
  /** Gives a claimed check back after a failure: it can be claimed again from `availableAtMs` on. */
  release(
    claim: { readonly tenant: string; readonly requestId: string; readonly fence: number },
    availableAtMs: number,
  ): Promise<void>;
  /** Ends in `ERROR` the pending checks whose last permitted claim has run out. Returns how many. */
  failExhausted(request: {
    readonly nowMs: number;
    readonly attemptsMax: number;
    readonly completed: string;
    readonly message: string;
  }): Promise<number>;
  /** When the next pending check can be claimed (0: now), in ms since 1970; null when none is pending. */
  nextClaimableAtMs(): Promise<number | null>;
  /** Pending checks over all tenants, for metrics. */
  countPending(): Promise<number>;
}

/** Keeps what it is given consistent and durable, tenant by tenant. Rules live in the domain. */
export interface Store extends AsyncDisposable {
  readonly engine: 'sqlite' | 'postgres';
  readonly clients: ClientStore;
  readonly signingKeys: SigningKeyStore;
  readonly authUsers: AuthUserStore;
  readonly authProfiles: AuthProfileStore;
  readonly uiMetadata: UiMetadataStore;
  readonly accessModel: AccessModelStore;
  readonly audit: AuditStore;
  readonly sodPolicies: SodPolicyStore;
  readonly sodExceptions: SodExceptionStore;
  readonly sod: SodStore;
  readonly checks: CheckQueue;
  readonly reports: SodReportStore;
  /** Rejects when the storage cannot be reached or its schema is not the one expected. */
  ping(): Promise<void>;
  /** Calls back soon after something was committed, here or by another process; returns the unsubscription. May call too often, and late by at most a second where the platform gives no sign. */
  onCommit(listener: () => void): () => void;
  close(): Promise<void>;
}

/** Thrown when the storage is busy or away for longer than a request should wait. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable';
}

/** Thrown when the storage went away under a write, and whether it took effect cannot be known: to repeat it may do it twice. */
export class OutcomeUnknown extends StorageUnavailable {
  override readonly name = 'OutcomeUnknown';
}
