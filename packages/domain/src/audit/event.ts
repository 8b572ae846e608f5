import type { AuditedResource, Caller } from '../administration/authorization.ts';
import { canonicalJson } from './canonical-json.ts';

/** Whether a request was carried out, or refused for want of rights. */
export const AUDIT_OUTCOMES = ['ALLOWED', 'DENIED'] as const;

/** How a request ended that is on record. */
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** A property and its whole value before and after; null where there is none. Values are JSON. */
export interface AuditChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Who did something and when, within one request. */
export interface AuditContext {
  /** Of the caller, whose log it belongs to. */
  readonly tenant: string;
  readonly actor: { readonly clientId: string; readonly identityId: string | null };
  /** The id of the operation. */
  readonly operation: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly time: string;
  readonly trackingId: string;
}

/** An event before it has its place in the log of its tenant. */
export interface NewAuditEvent extends AuditContext {
  readonly resource: { readonly type: AuditedResource; readonly id: string | null };
  readonly outcome: AuditOutcome;
  /** Empty where it was refused. */
  readonly changes: readonly AuditChange[];
}

/** One event of the log of a tenant: numbered from 1 without gaps, and bound by its hash to all before it. */
export interface AuditEvent extends NewAuditEvent {
  readonly sequence: number;
  /** Null for the first. */
  readonly previousHash: string | null;
  /** SHA-256, in lower-case hexadecimal digits, over the canonical JSON (RFC 8785) of all the rest. */
  readonly hash: string;
}

/** The act of a caller. */
export const auditContextOf = (
  { tenant, clientId, identityId }: Caller,
  request: Pick<AuditContext, 'operation' | 'time' | 'trackingId'>,
): AuditContext => ({ tenant, actor: { clientId, identityId }, ...request });

/** The properties that differ, in the order in which they stand; an object that is not there has none. */
export function changesBetween(before: object | null, after: object | null): readonly AuditChange[] {
  const values = { before: new Map(Object.entries(before ?? {})), after: new Map(Object.entries(after ?? {})) };
  return [...new Set([...values.before.keys(), ...values.after.keys()])]
    .map((field) => ({ field, before: values.before.get(field) ?? null, after: values.after.get(field) ?? null }))
    .filter((change) => canonicalJson(change.before) !== canonicalJson(change.after));
}
