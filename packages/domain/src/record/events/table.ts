import type { RIGHTS_TO_READ } from '../../administration/authorization.ts';
import { keysOf } from '../../basics/objects/keys-of.ts';

/** A kind of resource that events tell of. */
export type EventResource = keyof typeof RIGHTS_TO_READ;

/** What the table says about a type of event. */
export interface EventTypeDescription {
  /** The kind of resource: who may read it gets the event. */
  readonly resource: EventResource;
  /** When it happens, as a sentence. */
  readonly summary: string;
}

/** Every type of event, by its short name. */
export const EVENT_TYPES = {
  'sod.violation.opened': { resource: 'SOD_VIOLATION', summary: 'A violation has begun.' },
  'sod.violation.mitigated': { resource: 'SOD_VIOLATION', summary: 'An approved exception covers a violation.' },
  'sod.violation.reopened': {
    resource: 'SOD_VIOLATION',
    summary: 'The exception that covered a violation has ended.',
  },
  'sod.violation.remediated': {
    resource: 'SOD_VIOLATION',
    summary: 'A violation has ended because access has changed.',
  },
  'sod.violation.closed': {
    resource: 'SOD_VIOLATION',
    summary: 'A violation has ended because its policy or its identity has changed or is gone.',
  },
  'sod.violation.reassigned': { resource: 'SOD_VIOLATION', summary: 'A violation has got another owner.' },
  'sod.check.completed': { resource: 'SOD_CHECK', summary: 'A check is done.' },
  'sod.exception.requested': { resource: 'SOD_EXCEPTION', summary: 'An exception was requested.' },
  'sod.exception.approved': { resource: 'SOD_EXCEPTION', summary: 'An exception was approved.' },
  'sod.exception.revoked': { resource: 'SOD_EXCEPTION', summary: 'An exception was revoked.' },
  'sod.exception.expired': { resource: 'SOD_EXCEPTION', summary: 'An exception has reached its end.' },
  'sod.exception.voided': { resource: 'SOD_EXCEPTION', summary: 'An exception has become void.' },
  'sod.reservation.created': { resource: 'SOD_RESERVATION', summary: 'Access was reserved for an identity.' },
  'sod.reservation.settled': {
    resource: 'SOD_RESERVATION',
    summary: 'Reserved access was granted: its reservation no longer counts.',
  },
  'sod.reservation.released': {
    resource: 'SOD_RESERVATION',
    summary: 'A reservation was given up, or its identity or an item of it was deleted.',
  },
  'sod.reservation.expired': { resource: 'SOD_RESERVATION', summary: 'A reservation has reached its end.' },
  'sod.policy.created': { resource: 'SOD_POLICY', summary: 'A policy was created.' },
  'sod.policy.updated': { resource: 'SOD_POLICY', summary: 'A policy was changed.' },
  'sod.policy.deleted': { resource: 'SOD_POLICY', summary: 'A policy was deleted; the data is its last state.' },
  'sod.report.completed': { resource: 'SOD_REPORT', summary: 'A report is done.' },
  'sod.fix.requested': { resource: 'SOD_REPORT', summary: 'A step of a fix plan was handed over to another system.' },
  'auth-user.capabilities-changed': {
    resource: 'AUTH_USER',
    summary: 'The capabilities of an auth user have changed.',
  },
  'auth-user.factor-added': {
    resource: 'AUTH_USER',
    summary: 'A password, a passkey, an authenticator app or recovery codes of an auth user were set.',
  },
  'auth-profile.changed': { resource: 'AUTH_PROFILE', summary: 'An auth profile was created or changed.' },
  'ui-metadata.changed': { resource: 'UI_METADATA', summary: 'The UI metadata of the tenant have changed.' },
  'access-model.imported': { resource: 'ACCESS_MODEL', summary: 'An import has changed the access model.' },
  'access-model.loaded': { resource: 'ACCESS_MODEL', summary: 'A load of a source has ended.' },
  'oauth-client.created': { resource: 'OAUTH_CLIENT', summary: 'A client was created.' },
  'oauth-client.deleted': { resource: 'OAUTH_CLIENT', summary: 'A client was deleted; the data is its last state.' },
  'sign-in.blocked': {
    resource: 'AUTH_USER',
    summary: 'A sign-in was refused before its credentials were verified.',
  },
  'sign-in.locked': {
    resource: 'AUTH_USER',
    summary: 'An auth user was locked after failed sign-ins, or an address, whose subject has no id.',
  },
  'webhook.disabled': {
    resource: 'WEBHOOK',
    summary: 'A webhook was disabled: its deliveries failed, or the caller that set it has lost its rights.',
  },
} as const satisfies Record<string, EventTypeDescription>;

/** The short name of a type of event. */
export type EventType = keyof typeof EVENT_TYPES;

/** The types in the order of the table. */
export const EVENT_TYPE_NAMES: readonly EventType[] = keysOf(EVENT_TYPES);
