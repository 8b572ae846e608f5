import type { RIGHTS_TO_READ } from '../../administration/authorization.ts';

/** What the table says about a type of event. */
export interface EventTypeDescription {
  /** The path of the resource, with `{id}` for its id. */
  readonly subject: string;
  /** The kind of resource: who may read it gets the event. */
  readonly resource: keyof typeof RIGHTS_TO_READ;
  /** The schema of `data` among the `components.schemas` of the OpenAPI document. */
  readonly dataSchema: string;
  /** When it happens, as a sentence. */
  readonly summary: string;
}

const violation = (summary: string) =>
  ({
    subject: '/violations/v1/{id}',
    resource: 'SOD_VIOLATION',
    dataSchema: 'SodViolation',
    summary,
  }) as const;
const exception = (summary: string) =>
  ({
    subject: '/sod-exceptions/v1/{id}',
    resource: 'SOD_EXCEPTION',
    dataSchema: 'SodException',
    summary,
  }) as const;
const policy = (summary: string) =>
  ({
    subject: '/sod-policies/v1/{id}',
    resource: 'SOD_POLICY',
    dataSchema: 'SodPolicy',
    summary,
  }) as const;
const client = (summary: string) =>
  ({
    subject: '/oauth-clients/v1/{id}',
    resource: 'OAUTH_CLIENT',
    dataSchema: 'OAuthClient',
    summary,
  }) as const;
const signIn = (summary: string) =>
  ({
    subject: '/auth-users/v1/{id}',
    resource: 'AUTH_USER',
    dataSchema: 'SignInEvent',
    summary,
  }) as const;

/** Every type of event, by its short name. */
export const EVENT_TYPES = {
  'sod.violation.opened': violation('A violation has begun.'),
  'sod.violation.mitigated': violation('An approved exception covers a violation.'),
  'sod.violation.reopened': violation('The exception that covered a violation has ended.'),
  'sod.violation.remediated': violation('A violation has ended because access has changed.'),
  'sod.violation.closed': violation('A violation has ended because its policy or its identity has changed or is gone.'),
  'sod.violation.reassigned': violation('A violation has got another owner.'),
  'sod.check.completed': {
    subject: '/sod-violations/v1/check/{id}',
    resource: 'SOD_CHECK',
    dataSchema: 'SodCheck',
    summary: 'A check is done.',
  },
  'sod.exception.requested': exception('An exception was requested.'),
  'sod.exception.approved': exception('An exception was approved.'),
  'sod.exception.revoked': exception('An exception was revoked.'),
  'sod.exception.expired': exception('An exception has reached its end.'),
  'sod.exception.voided': exception('An exception has become void.'),
  'sod.policy.created': policy('A policy was created.'),
  'sod.policy.updated': policy('A policy was changed.'),
  'sod.policy.deleted': policy('A policy was deleted; the data is its last state.'),
  'sod.report.completed': {
    subject: '/sod-reports/v1/{id}',
    resource: 'SOD_REPORT',
    dataSchema: 'SodReport',
    summary: 'A report is done.',
  },
  'auth-user.capabilities-changed': {
    subject: '/auth-users/v1/{id}',
    resource: 'AUTH_USER',
    dataSchema: 'CapabilitiesChange',
    summary: 'The capabilities of an auth user have changed.',
  },
  'auth-profile.changed': {
    subject: '/auth-profiles/v1/{id}',
    resource: 'AUTH_PROFILE',
    dataSchema: 'Authprofile',
    summary: 'An auth profile was created or changed.',
  },
  'ui-metadata.changed': {
    subject: '/ui-metadata/v1/tenant',
    resource: 'UI_METADATA',
    dataSchema: 'Tenantuimetadataitemresponse',
    summary: 'The UI metadata of the tenant have changed.',
  },
  'access-model.imported': {
    subject: '/access-model/v1/export',
    resource: 'ACCESS_MODEL',
    dataSchema: 'ImportedCounts',
    summary: 'An import has changed the access model.',
  },
  'oauth-client.created': client('A client was created.'),
  'oauth-client.deleted': client('A client was deleted; the data is its last state.'),
  'sign-in.blocked': signIn('A sign-in was refused before its credentials were verified.'),
  'sign-in.locked': signIn('An auth user was locked after failed sign-ins, or an address, whose subject has no id.'),
  'webhook.disabled': {
    subject: '/webhooks/v1/{id}',
    resource: 'WEBHOOK',
    dataSchema: 'DisabledWebhook',
    summary: 'A webhook was disabled: its deliveries failed, or the caller that set it has lost its rights.',
  },
} as const satisfies Record<string, EventTypeDescription>;

/** The short name of a type of event. */
export type EventType = keyof typeof EVENT_TYPES;

/** The types in the order of the table. */
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as readonly EventType[];

/** The `type` of an event on the wire. */
export const wireTypeOf = (type: EventType): string => `org.access-admin.${type}.v1`;
