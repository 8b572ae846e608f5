import { EVENT_TYPES, type EventType } from '@access-admin/domain';

/** The path of each kind of resource that events tell of, with `{id}` for its id. */
const RESOURCE_PATHS = {
  ACCESS_MODEL: '/access-model/v1/export',
  AUTH_PROFILE: '/auth-profiles/v1/{id}',
  AUTH_USER: '/auth-users/v1/{id}',
  OAUTH_CLIENT: '/oauth-clients/v1/{id}',
  SOD_CHECK: '/sod-violations/v1/check/{id}',
  SOD_EXCEPTION: '/sod-exceptions/v1/{id}',
  SOD_POLICY: '/sod-policies/v1/{id}',
  SOD_REPORT: '/sod-reports/v1/{id}',
  SOD_RESERVATION: '/sod-reservations/v1/{id}',
  SOD_VIOLATION: '/violations/v1/{id}',
  UI_METADATA: '/ui-metadata/v1/tenant',
  WEBHOOK: '/webhooks/v1/{id}',
} as const satisfies Readonly<Record<(typeof EVENT_TYPES)[EventType]['resource'], string>>;

/** The path of a resource; without an id that of all resources of its kind. */
export const resourcePath = (resource: keyof typeof RESOURCE_PATHS, id: string | null): string =>
  RESOURCE_PATHS[resource].replace('/{id}', () => (id === null ? '' : `/${id}`));

/** The path of the resources that events of a type tell of, with `{id}` for their ids. */
export const subjectPattern = (type: EventType): string => RESOURCE_PATHS[EVENT_TYPES[type].resource];

/** The `subject` of an event: the path of its resource. */
export const subjectOf = (type: EventType, resourceId: string | null): string =>
  resourcePath(EVENT_TYPES[type].resource, resourceId);

/** The schema of the data of each type of event, among the `components.schemas` of the OpenAPI document. */
export const EVENT_DATA_SCHEMAS = {
  'sod.violation.opened': 'SodViolation',
  'sod.violation.mitigated': 'SodViolation',
  'sod.violation.reopened': 'SodViolation',
  'sod.violation.remediated': 'SodViolation',
  'sod.violation.closed': 'SodViolation',
  'sod.violation.reassigned': 'SodViolation',
  'sod.check.completed': 'SodCheck',
  'sod.exception.requested': 'SodException',
  'sod.exception.approved': 'SodException',
  'sod.exception.revoked': 'SodException',
  'sod.exception.expired': 'SodException',
  'sod.exception.voided': 'SodException',
  'sod.reservation.created': 'SodReservation',
  'sod.reservation.settled': 'SodReservation',
  'sod.reservation.released': 'SodReservation',
  'sod.reservation.expired': 'SodReservation',
  'sod.policy.created': 'SodPolicy',
  'sod.policy.updated': 'SodPolicy',
  'sod.policy.deleted': 'SodPolicy',
  'sod.report.completed': 'SodReport',
  'sod.fix.requested': 'RequestedFix',
  'auth-user.capabilities-changed': 'CapabilitiesChange',
  'auth-user.factor-added': 'AddedFactor',
  'auth-profile.changed': 'Authprofile',
  'ui-metadata.changed': 'Tenantuimetadataitemresponse',
  'access-model.imported': 'ImportedCounts',
  'access-model.loaded': 'SourceLoad',
  'oauth-client.created': 'OAuthClient',
  'oauth-client.deleted': 'OAuthClient',
  'sign-in.blocked': 'SignInEvent',
  'sign-in.locked': 'SignInEvent',
  'webhook.disabled': 'DisabledWebhook',
} as const satisfies Readonly<Record<EventType, string>>;
