import type { TimedAccessRef } from '../../access/model/records.ts';
import type { AuditedResource, Authorization, Caller } from '../../administration/authorization.ts';
import { equalJson } from '../../basics/json-patch/value.ts';

/** Whether a request was carried out or refused because of missing rights. */
export const AUDIT_OUTCOMES = ['ALLOWED', 'DENIED'] as const;

/** The outcome of a recorded request. */
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/**
 * A property and its complete JSON values before and after; null when it does not exist. Of the access of an identity, only the
 * refs that it gained and lost are listed. In an event about several
 * identities, `field` is the id of one, `before` and `after` are objects of the attributes that differ, and the refs that it
 * gained or lost are listed.
 */
export interface AuditChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  /** The access refs that the identity gained. */
  readonly added?: readonly TimedAccessRef[];
  /** The access refs that the identity lost. */
  readonly removed?: readonly TimedAccessRef[];
}

/** What a request changed of one resource, or of several whose ids are `members`. */
export interface ResourceChange {
  readonly resource: AuditResource;
  readonly changes: readonly AuditChange[];
  /** The event is found by each of these ids, as by the id of its resource. */
  readonly members?: readonly string[];
}

/** The resource of an event; its id is null when the event concerns no single resource. */
export interface AuditResource {
  readonly type: AuditedResource;
  readonly id: string | null;
}

/** The actor, time and operation of a request. */
export interface AuditContext {
  /** The caller's tenant, to whose log events belong. */
  readonly tenant: string;
  readonly actor: { readonly clientId: string; readonly identityId: string | null };
  /** The id of the operation. */
  readonly operation: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly time: string;
  readonly trackingId: string;
  /** Verified again in the transaction of the change. Left out where nobody's rights are needed. Not part of events. */
  readonly authorization?: Authorization;
}

/** An event that is not in the log of its tenant yet. */
export interface NewAuditEvent extends Omit<AuditContext, 'authorization'> {
  readonly resource: AuditResource;
  readonly outcome: AuditOutcome;
  /** Empty for a refused request. */
  readonly changes: readonly AuditChange[];
  /** How many refused requests of one kind the event counts; left out where it records a single request. */
  readonly count?: number;
}

/** An event in the log of a tenant: numbered from 1 without gaps, and linked by hash to all earlier events. */
export interface AuditEvent extends NewAuditEvent {
  readonly sequence: number;
  /** Null for the first event. */
  readonly previousHash: string | null;
  /** SHA-256 of the canonical JSON (RFC 8785) of all other properties, in lower-case hexadecimal digits. */
  readonly hash: string;
  /** What an erasure has replaced since by a pseudonym, so that the hash is not that of the properties; left out where none has. */
  readonly erased?: AuditErasure;
}

/** What was replaced in an event by the erasure of a person. */
export interface AuditErasure {
  /** JSON pointers to what was replaced. */
  readonly fields: readonly string[];
  /** SHA-256 of the canonical JSON of what stood there by pointer, with the earlier `erased` by `/erased` where there was one. */
  readonly digest: string;
}

/** The audit context of a request by a caller. */
export const auditContextOf = (
  { tenant, clientId, identityId }: Caller,
  request: Pick<AuditContext, 'operation' | 'time' | 'trackingId'>,
): AuditContext => ({ tenant, actor: { clientId, identityId }, ...request });

/** The properties that differ, in their order; an object that is null has no properties. */
export function changesBetween(before: object | null, after: object | null): readonly AuditChange[] {
  if (before === null || after === null)
    return Object.entries(before ?? after ?? {}).flatMap(([field, value]) =>
      value == null ? [] : [{ field, before: before && value, after: after && value }],
    );
  const changes: AuditChange[] = [];
  for (const [field, value] of Object.entries(before)) {
    const change = { field, before: value ?? null, after: fieldOf(after, field) };
    if (!equalJson(change.before, change.after)) changes.push(change);
  }
  for (const [field, value] of Object.entries(after))
    if (!Object.hasOwn(before, field) && value != null) changes.push({ field, before: null, after: value });
  return changes;
}

const fieldOf = (object: object, field: string): unknown =>
  (Object.hasOwn(object, field) ? Reflect.get(object, field) : null) ?? null;
